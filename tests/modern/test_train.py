"""Tests of modern.train in one process: its output, and the arguments that it rejects."""

import json
import os
import re
import subprocess

import numpy as np
import pytest
import tensorflow as tf

from modern.data import linear
from modern.jobs import linear_regression as job
from modern.model_files import weights
from modern.records import task_records
from tests.cluster import trainings
from tests.modern import in_turn


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Returns a training with most options on, and the output of the same command run again."""
    folder = tmp_path_factory.mktemp("alone")
    model = job.build_model()
    model.set_weights([linear.WEIGHTS, np.reshape(linear.BIAS, [1])])
    weights.save(str(folder / "start-3"), weights.read(model))
    (folder / "job.flags").write_text(
        "# The smallest job.\n--job=linear_regression\n--train_steps=60\n--seed=3\n"
    )
    command = [
        f"--flagfile={folder / 'job.flags'}", f"--init_checkpoint={folder}/start-{{seed}}",
        "--learning_rate=0", "--jit_compile", "--model_checkpoint", "--steps_per_epoch=25",
        "--save_checkpoints_steps=20", "--keep_checkpoint_max=2", "--warmup_steps=5",
        "--backup=epoch", "--learning_rate_warmup_steps=5", "--scale_learning_rate",
        "--gradient_compression=bfloat16",
    ]  # fmt: skip
    done = trainings.alone(folder / "m", *command)
    first = trainings.result_of(folder / "m")
    again = trainings.alone(folder / "m", *command)
    return folder, first, done, again


def test_result(trained):
    _, result, *_ = trained
    assert (result["job"], result["dataset"], result["way"]) == (
        "linear_regression", "synthetic", "single",
    )  # fmt: skip
    assert (result["steps"], result["global_step"], result["seed"]) == (60, 60, 3)
    assert result["examples"] == {"worker-0": 60 * 32}
    assert (result["trainers"], result["cluster"]) == (1, {})
    assert set(result["phases"]) >= {"process_s", "build_s", "train_s", "eval_s"}


def test_it_starts_from_the_given_weights_and_a_learning_rate_of_zero_keeps_them(trained):
    folder, result, *_ = trained
    kernel, bias = trainings.weights_at(folder / "m", 60)
    np.testing.assert_array_equal(kernel, linear.WEIGHTS)
    assert float(bias[0]) == pytest.approx(float(linear.BIAS))
    assert result["eval"]["loss"] == pytest.approx(0.01, rel=0.2)


def test_files(trained):
    folder, *_ = trained
    assert trainings.steps_saved(folder / "m") == [40, 60]
    assert trainings.unfinished_files(folder / "m") == []
    assert {path.name for path in (folder / "m").iterdir()} == {
        "best", "checkpoints", "export", "result.json", "tasks",
    }  # fmt: skip
    assert task_records.read(folder / "m", "worker-0")["finished"]


def test_the_export_serves(trained):
    _, result, *_ = trained
    points = np.eye(10, dtype=np.float32)
    signature = tf.saved_model.load(result["export"]).signatures["serving_default"]
    (outputs,) = signature(tf.constant(points)).values()
    np.testing.assert_allclose(outputs.numpy(), linear.WEIGHTS + linear.BIAS, rtol=1e-5)


def test_it_says_the_result_and_nothing_else(trained):
    folder, _, done, _ = trained
    assert done.stdout == ""
    *progress, line, path = done.stderr.splitlines()  # A slow machine prints progress.
    usual = r"linear_regression  step \d+ of"
    if tf.__version__.startswith("2.16."):
        usual += r"|WARNING: All log messages|I0000 "  # XLA of 2.16 ignores the log level.
    assert not [said for said in progress if not re.match(usual, said)]
    assert line.startswith("linear_regression  single  step 60  1,920 examples  ")
    assert path.strip() == str(folder / "m" / "result.json")


def test_the_same_command_again_has_nothing_to_train(trained):
    folder, first, _, again = trained
    assert trainings.result_of(folder / "m") == first
    assert "nothing left to train" in again.stderr
    assert len(again.stderr.splitlines()) == 2


SYNCHRONOUS = json.dumps(
    {"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 0}}
)


MISUSE = {
    "no cluster": (
        ["--strategy=parameter_server"], {}, ["needs a cluster", "TF_CONFIG is not set"],
    ),
    "other cluster": (
        ["--strategy=single"], {"TF_CONFIG": SYNCHRONOUS}, ["2 worker", "multi_worker_mirrored"],
    ),
    "data": (["--dataset=digits"], {}, ["--dataset=digits does not fit"]),
    "batch": (["--batch_size=5000"], {}, ["4096 training examples", "--batch_size=5000"]),
    "execution": (["--steps_per_execution=3"], {}, ["--steps_per_execution=3 does not divide"]),
    "start": (
        ["--init_checkpoint=/no/such"], {}, ["--init_checkpoint=/no/such cannot be read"],
    ),
    "backup": (["--tensorboard", "--backup=x"], {}, ["--backup=x"]),
}  # fmt: skip


@pytest.fixture(scope="module")
def misused(tmp_path_factory):
    """Returns the outcome of each wrong command, all run in one process, and the models' folder."""
    folder = tmp_path_factory.mktemp("misused")
    usual = ["--job=linear_regression", "--train_steps=200"]
    commands = [
        ([*usual, f"--model_dir={folder / name}", *flags], variables)
        for name, (flags, variables, _) in MISUSE.items()
    ]
    ended = in_turn.run("modern.train", commands, env=os.environ | trainings.ENV)
    return folder, dict(zip(MISUSE, ended, strict=True))


@pytest.mark.parametrize("name", MISUSE)
def test_misuse_is_one_line_and_code_2(misused, name):
    folder, ended = misused
    code, said = ended[name].code, ended[name].said
    assert code == 2, said
    assert said.startswith("train.py: ")
    assert said.count("\n") == 1
    for word in MISUSE[name][2]:
        assert word in said
    assert not (folder / name / "result.json").exists()


def test_misuse_ends_a_process_of_its_own(tmp_path):
    done = subprocess.run(
        [*trainings.TRAIN, f"--model_dir={tmp_path}/m", "--batch_size=5000"],
        env=os.environ | trainings.ENV,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("train.py: 4096 training examples")
    assert done.stderr.count("\n") == 1
