"""Test of the cost of importing legacy.estimator, in a new process."""

import os
import subprocess
import sys


def test_tensorflow_is_left_out_of_garbage_collections():
    code = "import gc, legacy.estimator; print(gc.isenabled(), gc.get_freeze_count() > 100_000)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "True"]


def test_the_v2_api_has_no_inputs():
    """Programs tell the APIs apart by `hasattr(tf.estimator, "inputs")`, which v1 alone has."""
    code = (
        "import tensorflow as tf\n"
        "from legacy import estimator\n"
        "estimator.DNNClassifier([2], [tf.feature_column.numeric_column('x')])\n"
        "assert not hasattr(estimator, 'inputs')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
