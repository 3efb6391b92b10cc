"""Tests of the flags of modern.train: the set is frozen, impossible combinations are errors."""

import re

import pytest
import tensorflow as tf

from modern.process import cli
from modern.tasks import train_flags
from tests.modern.flag_values import parsed
from tests.modern.tasks.test_flags import NAMES

OF_A_JOB = {
    "job", "dataset", "data_dir", "batch_size", "learning_rate", "learning_rate_decay",
    "scale_learning_rate", "learning_rate_warmup_steps", "gradient_compression",
}  # fmt: skip
OWN = {
    "keras", "strategy", "communication", "autoshard", "logical_cpus", "min_shard_bytes",
    "steps_per_epoch", "steps_per_execution", "jit_compile", "mixed_precision",
    "backup", "model_checkpoint", "tensorboard",
    "model_fn", "input_fn", "eval_input_fn", "model_params", "keras_model",
}  # fmt: skip
SYNCHRONOUS, SERVED = "--strategy=multi_worker_mirrored", "--strategy=parameter_server"
NO_GPU = not tf.config.list_physical_devices("GPU")


def test_flag_surface_is_frozen():
    with parsed(train_flags.define_flags) as names:
        assert names == NAMES | OWN | OF_A_JOB


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [SYNCHRONOUS],
        ["--jit_compile"],
        ["--backup=epoch"],
        ["--backup=25", SYNCHRONOUS],
        ["--backup=epoch", SERVED],
        ["--backup=25", SERVED],
        ["--autoshard=data", SYNCHRONOUS],
        ["--communication=ring", SYNCHRONOUS],
        ["--logical_cpus=2", "--strategy=mirrored"],
        ["--gradient_compression=bfloat16", SERVED],
        ["--gradient_compression=float16", "--mixed_precision=mixed_float16", SERVED],
    ],
)
def test_what_works_passes(arguments):
    with parsed(train_flags.define_flags, *arguments):
        train_flags.check()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--model_fn=a:b", "--input_fn=a:c"], ["--model_fn=a:b", "python -m migrate train"]),
        (["--keras_model=a:b"], ["--keras_model=a:b", "python -m migrate train"]),
        (["--backup=0"], ["--backup=0", "none, epoch"]),
        (["--backup=often"], ["--backup=often"]),
        (["--backup=-5"], ["--backup=-5"]),
        (["--autoshard=file", SYNCHRONOUS], ["--autoshard=file", "in memory", "--autoshard=data"]),
        (["--autoshard=data", SERVED], ["--autoshard=data", "multi_worker_mirrored"]),
        (["--autoshard=data"], ["--strategy=single"]),
        (["--logical_cpus=2", SYNCHRONOUS], ["--logical_cpus=2", "--strategy=mirrored"]),
        (
            ["--mixed_precision=mixed_float16", "--min_shard_bytes=16", SERVED],
            ["--min_shard_bytes=16", "--mixed_precision=mixed_float16", "leave one of them out"],
        ),
        (
            ["--keras=3", "--min_shard_bytes=16", SERVED],
            ["--min_shard_bytes=16", "--keras=3", "leave one of them out"],
        ),
        (["--jit_compile", SERVED], ["--jit_compile", "parameter_server", "Leave it out"]),
        pytest.param(
            ["--jit_compile", SYNCHRONOUS], ["--jit_compile", "CPUs"],
            marks=pytest.mark.skipif(not NO_GPU, reason="it works on GPUs"),
        ),
        pytest.param(
            ["--communication=nccl", SYNCHRONOUS], ["--communication=nccl", "GPUs"],
            marks=pytest.mark.skipif(not NO_GPU, reason="there is a GPU"),
        ),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused(arguments, words):
    with parsed(train_flags.define_flags, *arguments), pytest.raises(cli.UsageError) as caught:
        train_flags.check()
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("backend", "flag", "words"),
    [
        ("jax", "--strategy=mirrored", "--strategy=mirrored.*use --strategy=single"),
        ("jax", SYNCHRONOUS, "--strategy=multi_worker_mirrored.*use --strategy=single"),
        ("jax", SERVED, "--strategy=parameter_server.*use --strategy=single"),
        ("jax", "--steps_per_execution=2", "--steps_per_execution=2 is for TensorFlow"),
        ("jax", "--mixed_precision=mixed_bfloat16", "mixed_bfloat16 is for TensorFlow"),
        ("jax", "--export", "--export writes a SavedModel.*after the training"),
        ("openvino", "--seed=1", "set it to tensorflow, jax, torch"),
    ],
)
def test_what_another_backend_cannot_do_is_refused(monkeypatch, backend, flag, words):
    monkeypatch.setenv("KERAS_BACKEND", backend)
    with (
        parsed(train_flags.define_flags, "--keras=3", flag),
        pytest.raises(cli.UsageError, match=f"KERAS_BACKEND={backend}.*") as caught,
    ):
        train_flags.check()
    assert re.search(words, str(caught.value))
    assert "\n" not in str(caught.value)


def test_another_backend_writes_no_export(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    with parsed(train_flags.define_flags, "--keras=3", "--model_dir=/tmp/m"):
        assert not train_flags.setting().export
    with parsed(train_flags.define_flags, "--model_dir=/tmp/m"):
        assert train_flags.setting().export
