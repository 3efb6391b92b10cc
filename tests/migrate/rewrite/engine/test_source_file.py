"""Tests for the public names of what a file imports."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("from tensorflow.python.training import session_run_hook as h\nh.SessionRunHook", "train"),
        (
            "from tensorflow.python.training.basic_session_run_hooks import SessionRunHook as h\nh",
            "train",
        ),
        ("from legacy.estimator.inputs import numpy_io\nnumpy_io.numpy_input_fn", "estimator"),
        ("from legacy.estimator.inputs.pandas_io import pandas_input_fn as f\nf", "estimator"),
        (
            "from tensorflow.python.feature_column import feature_column as c\nc.numeric_column",
            "feature_column",
        ),
        ("from tensorflow.python.platform import tf_logging as logging\nlogging.info", "logging"),
    ],
)
def test_names_of_private_modules_are_public_ones(code, name):
    file = SourceFile(code + "\n")
    (match,) = [one for one in file.names() if one.node in [*map(_value, file.tree.body)]]
    assert match.name.startswith(f"tf.{name}.")
    assert "python" not in match.name
    assert "_io" not in match.name


def _value(statement):
    return getattr(statement, "value", None)
