"""Tests for the text of a class: its methods, by the parts of the model_fn."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import keras_model
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


def model(old="", new=""):
    """Returns the model of the program with a changed part."""
    text = base_program.BASE.replace(old, new)
    assert text != base_program.BASE or not old
    file = SourceFile(text, plan=tools.plan(api="v2"))
    (function,) = [node for node in file.tree.body if isinstance(node, ast.FunctionDef)]
    read = keras_model.read(file, function)
    assert not isinstance(read, str), read
    return read


def methods(text):
    (definition,) = ast.parse(text).body
    return [node.name for node in definition.body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "",
            "",
            ["__init__", "call", "compute_loss", "compute_metrics", "predict_step"],
        ),
        (
            '{"out": out})',
            '{"out": out}, export_outputs={"a": e.export.PredictOutput({"out": out})})',
            ["__init__", "call", "compute_loss", "compute_metrics", "predict_step", "signatures"],
        ),
    ],
)
def test_each_part_of_a_model_fn_is_a_method(old, new, expected):
    assert methods(model(old, new).text()) == [*expected, "make_optimizer"]


def test_the_loss_of_a_distributed_model_is_a_share():
    one = model()
    assert "num_replicas_in_sync" not in one.text()
    one.distributes = True
    assert "        loss /= self.distribute_strategy.num_replicas_in_sync\n" in one.text()


def test_several_outputs_are_a_dictionary():
    text = model(
        "return e.EstimatorSpec(mode, {", 'return e.EstimatorSpec(mode, {"net": net, '
    ).text()
    assert '        return {"net": net, "out": out}\n' in text
    assert '        out = y_pred["out"]\n' in text


def test_settings_are_no_outputs():
    text = model(
        base_program.OUT,
        f'hp = params\n    scale = hp["scale"]\n    {base_program.OUT}\n'
        "    labels = labels * scale",
    ).text()
    assert "        return out\n" in text
    setting = '        hp = self.params\n        scale = hp["scale"]\n'
    assert text.count(setting) == 2  # In the loss and in the metrics.


def test_settings_that_change_are_outputs():
    text = model(
        base_program.OUT,
        f'scale = params["scale"]\n    {base_program.OUT}\n    scale = scale + params["more"]\n'
        "    labels = labels * scale",
    ).text()
    assert '        return {"out": out, "scale": scale}\n' in text
