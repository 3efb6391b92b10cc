"""Checks for tests of heads: the private helpers of the original's `head_utils`.

Old test suites import them as `from tensorflow_estimator.python.estimator.head import head_utils`,
and `assert_close` from `canned.dnn_testing_utils`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def initialize_variables(test_case: Any, scaffold: Any) -> None:
    """Initializes a graph's variables as a session of Estimator does.

    Args:
      test_case: A `tf.test.TestCase`, in a session.
      scaffold: Scaffold of the spec. It must have a saver and no init_fn.
    """
    del test_case  # Its session is the default one.
    scaffold.finalize()
    assert scaffold.init_feed_dict is None
    assert scaffold.init_fn is None
    session = tf1.get_default_session()
    # The order of tf.compat.v1.train.SessionManager: local variables may be initialized from global
    # ones.
    session.run(scaffold.init_op)
    session.run(scaffold.ready_for_local_init_op)
    session.run(scaffold.local_init_op)
    session.run(scaffold.ready_op)
    assert scaffold.saver is not None


def assert_simple_summaries(
    test_case: Any, expected_summaries: Mapping[str, float], summary_str: bytes, tol: float = 1e-6
) -> None:
    """Checks that a summary has exactly these values.

    Args:
      test_case: A `tf.test.TestCase`.
      expected_summaries: Values by tag.
      summary_str: The serialized summary.
      tol: Relative and absolute tolerance.
    """
    actual_summaries = {
        value.tag: value.simple_value for value in tf1.Summary.FromString(summary_str).value
    }
    test_case.assertAllClose(dict(expected_summaries), actual_summaries, rtol=tol, atol=tol)


def assert_no_hooks(test_case: Any, spec: Any) -> None:
    """Checks that a spec has no training hooks.

    Args:
      test_case: A `tf.test.TestCase`.
      spec: An EstimatorSpec.
    """
    test_case.assertAllEqual([], spec.training_chief_hooks)
    test_case.assertAllEqual([], spec.training_hooks)


def assert_close(
    expected: Any,
    actual: Any,
    rtol: float = 1e-4,
    message: str = "",
    name: str = "assert_close",
) -> tf.Operation:
    """Returns an operation that fails if values differ too much from the expected ones.

    Args:
      expected: A float tensor without zeros.
      actual: A tensor of its shape and dtype.
      rtol: Relative tolerance.
      message: Start of the error message.
      name: Name of the operation.
    """
    expected, actual = tf.convert_to_tensor(expected), tf.convert_to_tensor(actual)
    relative_error = tf.abs((expected - actual) / expected)
    data = ["expected:", expected, "actual:", actual]
    return tf1.debugging.assert_less(
        relative_error, tf.cast(rtol, relative_error.dtype), data=data, message=message, name=name
    )
