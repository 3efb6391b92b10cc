"""Serving input functions of contrib.learn.

serving_input_fn = build_parsing_serving_input_fn({"x": tf.io.FixedLenFeature([2], tf.float32)})
estimator.export_savedmodel("/tmp/export", serving_input_fn)
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class InputFnOps(collections.namedtuple("InputFnOps", ["features", "labels", "default_inputs"])):
    """The return value of a serving input function.

    Args:
      features: Features for the model, by name.
      labels: None.
      default_inputs: Placeholders that a request fills, by name.
    """


def build_parsing_serving_input_fn(
    feature_spec: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """Returns a serving input function whose input is serialized tf.Example.

    Args:
      feature_spec: Features of tf.io, such as FixedLenFeature, by name.
      default_batch_size: Number of examples in a request. None is any number.

    Returns:
      The function.
    """

    def input_fn() -> InputFnOps:
        serialized = tf1.placeholder(tf.string, [default_batch_size], name="input_example_tensor")
        features = tf1.parse_example(serialized, feature_spec)
        return InputFnOps(features, None, {"examples": serialized})

    return input_fn


def build_default_serving_input_fn(
    features: Mapping[str, tf.Tensor], default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """Returns a serving input function whose inputs are the features themselves.

    Args:
      features: Tensors of the same types and shapes as the model's features, by name.
      default_batch_size: Number of examples in a request. None is any number.

    Returns:
      The function.
    """

    def input_fn() -> InputFnOps:
        placeholders = {
            name: tf1.placeholder(
                tensor.dtype, [default_batch_size, *tensor.shape[1:]], name=tensor.op.name
            )
            for name, tensor in features.items()
        }
        return InputFnOps(placeholders, None, placeholders)

    return input_fn
