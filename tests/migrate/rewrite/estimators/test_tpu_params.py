"""Tests for the params of a TPUEstimator's functions in a Keras program."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import tpu_params

ARGUMENTS = "params=params, train_batch_size=FLAGS.size, use_tpu=False"


def params_of(body, arguments=ARGUMENTS, mode="train", before="params = {'a': 1}"):
    function = f"def input_fn(params):\n    return {body}\n"
    file = SourceFile(f"{before}\n{function}TPUEstimator(f, {arguments})\n")
    call = file.tree.body[-1].value
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    return tpu_params.of_input_fn(file, given, file.tree.body[-2], mode)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('data.batch(params["batch_size"])', '{"batch_size": FLAGS.size}'),
        ('data.batch(params.get("batch_size", 1))', '{"batch_size": FLAGS.size}'),
        ('data.batch(params["a"])', '{**params, "batch_size": FLAGS.size}'),
        ("data(params)", '{**params, "batch_size": FLAGS.size}'),
    ],
)
def test_the_batch_size_of_the_mode_is_added(body, text):
    assert params_of(body) == text


def test_a_mode_without_a_batch_size_gets_the_params_alone():
    assert params_of("data(params)", mode="infer") == "params"


@pytest.mark.parametrize(
    ("arguments", "before"),
    [
        (ARGUMENTS, "params = HParams(a=1)"),
        (ARGUMENTS.replace("params=params", "params=make()"), ""),
        (ARGUMENTS.replace("FLAGS.size", "next(sizes)"), "params = {}"),
    ],
)
def test_unknown_params_are_refused(arguments, before):
    assert params_of("data(params)", arguments, before=before) == ""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('params["rate"] if params["use_tpu"] else 1', ""),
        ('params["batch_size"]', "reads batch_size"),
        ("build(params)", "may read the batch size"),
    ],
)
def test_a_model_fn_that_reads_the_params_of_its_mode_stays(body, reason):
    file = SourceFile(f"def model_fn(features, params):\n    return {body}\nmodel_fn\n")
    found = tpu_params.problem(file, {"model_fn": file.tree.body[-1].value})
    assert reason in found
    assert bool(found) == bool(reason)
