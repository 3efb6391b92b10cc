"""Tests for `migrate train`: its flags, and the user jobs that it refuses."""

import os

import pytest

from migrate import train
from migrate.bridge.jobs.port_job import PortJob
from modern.process import cli
from modern.tasks import own_job_flags, train_flags
from tests.cluster import trainings
from tests.modern import in_turn
from tests.modern.flag_values import parsed
from tests.modern.tasks.test_train_flags import OF_A_JOB

BRIDGED = ["--model_fn=a:b", "--input_fn=a:c"]
PORT = ["--keras_model=a:b", "--input_fn=a:c"]
SMALL = "tests.migrate.bridge.small"


def define():
    train_flags.define_training()
    own_job_flags.define_model_fn()
    own_job_flags.define_keras_model()


def test_it_has_the_flags_of_modern_train_that_say_how_to_train():
    own = {"model_fn", "keras_model", "input_fn", "eval_input_fn", "model_params"}
    with parsed(train_flags.define_flags) as names:
        expected = (names - OF_A_JOB) | own
    with parsed(define) as names:
        assert names == expected


@pytest.mark.parametrize(
    "arguments",
    [
        BRIDGED,
        [*BRIDGED, "--eval_input_fn=a:c", '--model_params={"x": 1}'],
        [*PORT, "--model_params=a.b:params"],
    ],
)
def test_what_works_passes(arguments):
    with parsed(define, *arguments):
        own_job_flags.check()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--input_fn=a:b"], ["--input_fn", "--model_fn"]),
        (BRIDGED[:1], ["--model_fn=a:b", "needs --input_fn"]),
        ([*BRIDGED, "--model_params={"], ["--model_params={", "not JSON"]),
        ([*BRIDGED, "--model_params=1"], ["--model_params=1", "JSON object"]),
        ([*BRIDGED, "--model_params=a:"], ["--model_params=a:", "MODULE:NAME"]),
        (["--model_params={}"], ["--model_params", "--model_fn"]),
        (["--model_fn=b", "--input_fn=a:c"], ["--model_fn=b", "MODULE:NAME"]),
        ([*BRIDGED, "--eval_input_fn=c.d"], ["--eval_input_fn=c.d", "MODULE:NAME"]),
        ([*BRIDGED, "--keras_model=a:c"], ["--keras_model=a:c", "leave one of them out"]),
        (PORT[:1], ["--keras_model=a:b", "needs --input_fn"]),
    ],
)
def test_what_cannot_work_is_refused(arguments, words):
    with parsed(define, *arguments), pytest.raises(cli.UsageError) as caught:
        own_job_flags.check()
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_job_is_the_one_that_the_flags_name():
    program = "tests.benchmarks.own_program"
    with parsed(define, f"--model_fn={SMALL}:model_fn", f"--input_fn={SMALL}:input_fn"):
        job = train.load_job()
    assert (job.name, job.dataset) == (f"{SMALL}:model_fn", f"{SMALL}:input_fn")
    with parsed(define, f"--keras_model={program}:build_model", f"--input_fn={program}:input_fn"):
        assert isinstance(train.load_job(), PortJob)


MISUSE = {
    "nothing": ([], "give --model_fn=package.module:function or --keras_model="),
    "a flag of a documented job": ([*BRIDGED, "--batch_size=8"], "batch_size"),
    "no module": (BRIDGED, "--model_fn=a:b"),
    "a scaled loss that Keras refuses": (
        [*PORT, "--strategy=parameter_server", "--mixed_precision=mixed_float16"],
        "Keras does not scale the loss there: use mixed_bfloat16",
    ),
    "a model_fn and Keras 3": ([*BRIDGED, "--keras=3"], "tf.layers are layers of tf_keras"),
    "an argument": ([*BRIDGED, "more"], "unexpected argument 'more'"),
}


def test_misuse_is_one_line_and_code_2(tmp_path):
    commands = [
        (["train", f"--model_dir={tmp_path}/m", *arguments], {}) for arguments, _ in MISUSE.values()
    ]
    for ended, (name, (_, words)) in zip(
        in_turn.run("migrate", commands, env=os.environ | trainings.ENV),
        MISUSE.items(),
        strict=True,
    ):
        assert ended.code == 2, (name, ended.said)
        assert words in ended.said, name
        *_, said = ended.said.splitlines()
        assert said.startswith("migrate train: "), name
    assert not (tmp_path / "m").exists()
