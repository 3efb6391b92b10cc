"""Tests that documented jobs train on JAX and torch as on TensorFlow, in one process."""

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from modern.model_files import checkpoints, weights
from tests.cluster import core, trainings

TORCH = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed (extra torch)"
)
BACKENDS = ["jax", pytest.param("torch", marks=TORCH)]
STEPS = 10
JOBS = {
    "mnist_cnn": [],
    "sparse_embeddings": [],
    "wide_deep": [],
    # In float32, its gradients are right to some percent alone, and so is the momentum. With a low
    # rate, the moving averages tell whether the steps are the same.
    "resnet56_cifar10": ["--dataset=synthetic", "--batch_size=8", "--learning_rate=1e-6"],
}


def run(module, model_dir, *flags, backend="tensorflow"):
    """Trains in a process that sees the packages of this one, and returns how it has ended."""
    environment = core.whole_environment(os.environ | trainings.ENV)
    return subprocess.run(
        [sys.executable, "-m", module, f"--model_dir={model_dir}", "--warmup_steps=1", *flags],
        env=environment | {"KERAS_BACKEND": backend},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def train(model_dir, *flags, backend="tensorflow"):
    """Trains with Keras 3 to the end, and returns the result."""
    done = run("modern.train", model_dir, "--keras=3", *flags, backend=backend)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "UserWarning" not in done.stderr, done.stderr[-3000:]
    return trainings.result_of(model_dir)


def values_at(model_dir):
    """Returns the variables of the latest checkpoint, name to array."""
    reader = tf.train.load_checkpoint(checkpoints.latest(str(model_dir)))
    names = [name for name in reader.get_variable_to_shape_map() if "VARIABLE_VALUE" in name]
    return {name: reader.get_tensor(name) for name in names}


def assert_equal(one, other, rtol, of=""):
    """Compares the variables of the latest checkpoints whose names begin with `of`."""
    ours, theirs = values_at(one), values_at(other)
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        if not name.startswith(of):
            continue
        size = max(float(np.abs(value).max()), 1e-6)
        np.testing.assert_allclose(theirs[name], value, atol=rtol * size, rtol=0, err_msg=name)


@pytest.fixture(scope="module", params=JOBS)
def started(request, tmp_path_factory):
    """Returns flags of a job that begins with the weights of an Estimator, and its training."""
    folder = tmp_path_factory.mktemp(request.param)
    job, more = request.param, JOBS[request.param]
    few = [flag for flag in more if not flag.startswith("--learning_rate")]
    done = run("legacy.train", folder / "old", f"--job={job}", "--train_steps=2", *few)
    assert done.returncode == 0, done.stderr[-3000:]
    values = weights.load(str(folder / "old"))
    names = getattr(importlib.import_module(f"legacy.jobs.{job}"), "WEIGHT_NAMES", {})
    start = str(folder / "start")
    weights.save(start, {names.get(name, name): value for name, value in values.items()})
    flags = [f"--job={job}", f"--init_checkpoint={start}", f"--train_steps={STEPS}", *more]
    return flags, folder / "new", train(folder / "new", *flags)


@pytest.mark.parametrize("backend", BACKENDS)
def test_it_trains_as_on_tensorflow(started, backend, tmp_path):
    flags, folder, expected = started
    result = train(tmp_path / "m", *flags, backend=backend)
    assert result["examples"] == expected["examples"]
    assert result["eval"] == pytest.approx(expected["eval"], rel=1e-4)
    assert_equal(folder, tmp_path / "m", rtol=1e-4, of="model/" if "resnet" in flags[0] else "")


@pytest.mark.parametrize("backend", BACKENDS)
def test_it_continues_a_training_of_tensorflow_and_back(backend, tmp_path):
    flags = ["--job=linear_regression", "--noexport"]
    train(tmp_path / "m", *flags, "--train_steps=4")
    shutil.copytree(tmp_path / "m", tmp_path / "other")
    train(tmp_path / "m", *flags, "--train_steps=8")
    train(tmp_path / "other", *flags, "--train_steps=8", backend=backend)
    assert trainings.steps_saved(tmp_path / "other") == [4, 8]
    assert_equal(tmp_path / "m", tmp_path / "other", rtol=1e-6)
    train(tmp_path / "other", *flags, "--train_steps=8")  # Evaluates what the backend has written.
    losses = [trainings.result_of(tmp_path / name)["eval"]["loss"] for name in ("m", "other")]
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)


def test_a_training_that_diverges_ends_and_keeps_the_last_checkpoint(tmp_path):
    flags = ["--job=linear_regression", "--learning_rate=1e30", "--save_checkpoints_steps=1"]
    done = run("modern.train", tmp_path, "--keras=3", *flags, backend="jax")
    assert done.returncode == 1
    assert "diverged with" in done.stderr.splitlines()[-1]
    assert not any(np.isnan(value).any() for value in values_at(tmp_path).values())
