"""Tests of the flags that name a user's own job."""

import pytest
from absl import flags

from modern.process import cli
from modern.tasks import own_job_flags
from tests.modern.flag_values import parsed

INPUT = "--input_fn=job:input_fn"


def define():
    own_job_flags.define_model_fn()
    own_job_flags.define_keras_model()
    flags.DEFINE_float("learning_rate", 0.1, "Of a documented job.")


@pytest.mark.parametrize(
    ("arguments", "model"),
    [
        ([], None),
        (["--model_fn=job:model_fn", INPUT], "job:model_fn"),
        (["--keras_model=job:build", INPUT, "--model_params=job:params"], "job:build"),
    ],
)
def test_one_model_with_its_input(arguments, model):
    with parsed(define, *arguments):
        own_job_flags.check()
        assert own_job_flags.model() == model


def test_a_port_is_trained_beside_its_model_fn():
    models = ["--model_fn=job:model_fn", "--keras_model=port:build"]
    with parsed(define, *models, INPUT):
        own_job_flags.check(port_of_model_fn=True)
        with pytest.raises(cli.UsageError, match="are two models"):
            own_job_flags.check()
    with parsed(define, models[1], INPUT), pytest.raises(cli.UsageError, match="needs --model_fn"):
        own_job_flags.check(port_of_model_fn=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([INPUT], "--input_fn needs --model_fn"),
        (["--model_fn=job:f"], "--model_fn=job:f needs --input_fn"),
        (["--model_fn=job:f", INPUT, "--learning_rate=1"], "--learning_rate is for a --job"),
        (["--model_fn=job.f", INPUT], "--model_fn=job.f: must be MODULE:NAME"),
        (["--model_fn=job:f", "--input_fn=input"], "--input_fn=input: must be MODULE:NAME"),
        (["--model_fn=job:f", INPUT, "--model_params=x"], "--model_params=x is neither"),
        (["--model_fn=job:f", INPUT, "--model_params={x}"], "--model_params={x} is not JSON"),
    ],
)
def test_mistakes_are_found_before_anything_is_imported(arguments, message):
    with parsed(define, *arguments), pytest.raises(cli.UsageError, match=message):
        own_job_flags.check()
