"""What tests of heads check with: the private helpers that the original's `head_utils` had.

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
      scaffold: The specification's scaffold; it must come with a saver, and without an init_fn.
    """
    del test_case  # Its session is the default one.
    scaffold.finalize()
    assert scaffold.init_feed_dict is None
    assert scaffold.init_fn is None
    session = tf1.get_default_session()
    session.run(scaffold.init_op)
    session.run(scaffold.ready_for_local_init_op)
    session.run(scaffold.local_init_op)
    session.run(scaffold.ready_op)
    assert scaffold.saver is not None


def assert_simple_summaries(
    test_case: Any, expected_summaries: Mapping[str, float], summary_str: bytes, tol: float = 1e-6
) -> None:
    """Checks that a summary has these numbers and nothing else.

    Args:
      test_case: A `tf.test.TestCase`.
      expected_summaries: Number by tag.
      summary_str: The serialized summary.
      tol: How far a number may be off, relatively and absolutely.
    """
    found = {value.tag: value.simple_value for value in tf1.Summary.FromString(summary_str).value}
    test_case.assertAllClose(dict(expected_summaries), found, rtol=tol, atol=tol)


def assert_no_hooks(test_case: Any, spec: Any) -> None:
    """Checks that a specification has no hooks for training.

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
    """Returns an operation that fails where numbers are too far from what they should be.

    Args:
      expected: A float tensor without zeros.
      actual: A tensor of its shape and dtype.
      rtol: How far a number may be off, relatively.
      message: What the error begins with.
      name: The operation's name.
    """
    expected, actual = tf.convert_to_tensor(expected), tf.convert_to_tensor(actual)
    off = tf.abs((expected - actual) / expected)
    data = ["expected:", expected, "actual:", actual]
    return tf1.debugging.assert_less(
        off, tf.cast(rtol, off.dtype), data=data, message=message, name=name
    )
