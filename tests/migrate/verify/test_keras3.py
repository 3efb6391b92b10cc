"""Tests that `verify --keras=3` tells right from wrong ports to Keras 3."""

import os
import subprocess
import sys

import pytest

from tests.cluster import core

PROGRAM = "tests.migrate.verify.ids_and_images"
PORTS = "tests.migrate.verify.keras3_ports"


def verify(port, *arguments):
    """Runs the command as a process, because a process has one Keras."""
    command = [sys.executable, "-m", "migrate", "verify", f"--legacy={PROGRAM}:model_fn"]
    command += [f"--modern={port}", f"--input={PROGRAM}:input_fn", f"--params={PROGRAM}:PARAMS"]
    environment = core.whole_environment(os.environ)  # Level 7 needs scipy.
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=300, env=environment
    )


def test_a_right_port_is_the_same():
    done = verify(f"{PORTS}:build_model", "--keras=3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The same: all 6 levels agree." in done.stdout


def test_the_layers_of_keras_itself_are_told():
    done = verify(f"{PORTS}:with_layers_of_keras", "--keras=3")
    assert done.returncode == 1, done.stdout + done.stderr
    told = " ".join(done.stdout.split())
    assert "Differ after step 1: words/table, words/table's v" in told
    assert "moving_variance" in told


def test_another_dropout_is_told():
    done = verify(f"{PORTS}:with_another_dropout", "--keras=3")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "drops 0.3 (of hidden/Relu), the port 0.5" in " ".join(done.stdout.split())


def test_trainings_from_scratch_are_run():
    done = verify(f"{PORTS}:build_model", "--keras=3", "--seeds=3", "--steps=4")
    # So few trainings of so few steps may scatter too much to tell, but they must run.
    assert "3 trainings" in done.stdout, done.stdout + done.stderr
    assert "failed" not in done.stdout


@pytest.mark.parametrize(
    ("port", "keras", "message"),
    [
        ("tests.migrate.verify.tiny:Tracked", 3, "Leave out --keras=3 for a model of tf_keras"),
        (f"{PORTS}:build_model", 2, "building the model failed"),
    ],
)
def test_a_port_of_the_other_keras_is_refused(port, keras, message):
    done = verify(port, f"--keras={keras}")
    assert done.returncode == 2
    assert message in done.stderr


def test_another_backend_is_refused(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    done = verify(f"{PORTS}:build_model", "--keras=3")
    assert done.returncode == 2
    assert "KERAS_BACKEND=jax does not fit migrate verify" in done.stderr


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_a_right_port_is_the_same_with_another_backend(backend):
    pytest.importorskip(backend)  # `make install` has only JAX.
    done = verify(f"{PORTS}:build_model", "--keras=3", f"--backend={backend}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The same: all 7 levels agree." in done.stdout


def test_a_difference_of_another_backend_is_told():
    done = verify(f"{PORTS}:with_another_backend", "--keras=3", "--backend=jax")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Different: level 8, another backend." in done.stdout
    assert "output 1 of batch 1 in evaluation: off by" in " ".join(done.stdout.split())


def test_a_call_of_tensorflow_is_told():
    done = verify(f"{PORTS}:of_tensorflow", "--keras=3", "--backend=jax")
    assert done.returncode == 2, done.stdout + done.stderr
    told = " ".join(done.stdout.split())
    assert "The port fails with the backend jax" in told
    assert "keras.ops has functions for most of them" in told


def test_a_backend_needs_keras_3():
    done = verify(f"{PORTS}:build_model", "--backend=jax")
    assert done.returncode == 2
    assert "--backend=jax needs --keras=3" in done.stderr


def test_without_keras_3_an_old_program_still_gets_its_own_keras():
    """The first `import keras` of a process decides for all."""
    program = "import sys, migrate.verify.verifier; sys.exit('keras' in sys.modules)"
    environment = {**os.environ, "TF_USE_LEGACY_KERAS": "1"}
    assert subprocess.run([sys.executable, "-c", program], env=environment).returncode == 0
