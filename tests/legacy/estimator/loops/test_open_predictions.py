"""Test of predictions that a program does not finish."""

import os
import pathlib
import subprocess
import sys


def test_unfinished_predictions_end_with_the_program(tmp_path):
    program = tmp_path / "begun.py"
    program.write_text(
        "from legacy import estimator\n"  # Python tears modules down in the order of imports.
        "import tensorflow as tf\n"
        "def model_fn(features, mode):\n"
        "    predictions = tf.compat.v1.get_variable('w', []) + features\n"
        "    return estimator.EstimatorSpec(mode, predictions=predictions)\n"
        "def input_fn():\n"
        "    return tf.data.Dataset.range(9).map(lambda x: tf.cast(x, tf.float32)).batch(2)\n"
        f"predictions = estimator.Estimator(model_fn, {str(tmp_path)!r}).predict(input_fn)\n"
        "next(predictions)\n"
    )
    done = subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parents[4])},
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
