"""Tests of the choice of Keras, each in a new process, because TensorFlow chooses only once."""

import os
import subprocess
import sys


def python(code, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "TF_USE_LEGACY_KERAS"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**clean, "TF_CPP_MIN_LOG_LEVEL": "3", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_importing_legacy_alone_changes_nothing():
    done = python(
        "import os, sys; before = dict(os.environ), list(sys.path), list(sys.meta_path)\n"
        "import legacy\n"
        "assert (dict(os.environ), list(sys.path), list(sys.meta_path)) == before\n"
        "assert 'tensorflow' not in sys.modules and 'numpy' not in sys.modules"
    )
    assert done.returncode == 0, done.stderr


def test_keras_3_is_refused():
    done = python("import legacy.estimator", TF_USE_LEGACY_KERAS="0")
    assert done.returncode == 1
    assert "asks for Keras 3" in done.stderr.splitlines()[-1]


def test_estimator_chooses_legacy_keras_even_when_keras_3_was_looked_up():
    done = python(
        "import tensorflow as tf\n"
        "assert not hasattr(tf.compat.v1.layers, 'dense')\n"
        "import legacy.estimator\n"
        "assert 'tf_keras' in tf.keras.Model.__module__\n"
        "assert callable(tf.compat.v1.layers.dense)"
    )
    assert done.returncode == 0, done.stderr
