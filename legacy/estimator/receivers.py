"""Serving input receivers: where a SavedModel takes its inputs in.

>>> import tensorflow as tf
>>> receiver_fn = build_raw_serving_input_receiver_fn({"x": tf.TensorSpec([None, 4])})
>>> with tf.Graph().as_default():
...     list(receiver_fn().receiver_tensors)
['x']
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

_FIELDS = ("features", "receiver_tensors", "receiver_tensors_alternatives")
_FEATURE = "feature"
_RECEIVER = "input"


class ServingInputReceiver(collections.namedtuple("ServingInputReceiver", _FIELDS)):
    """The placeholders of a signature, and the features that are made of them.

    Args:
      features: A dict of tensors for the model function; one tensor alone becomes
        `{"feature": tensor}`.
      receiver_tensors: The placeholders by name; one alone is named "input".
      receiver_tensors_alternatives: By name, other groups of placeholders that can be fed instead.

    Raises:
      ValueError: Something is missing, not a tensor, or not named by a string.
    """

    def __new__(
        cls,
        features: Any,
        receiver_tensors: Any,
        receiver_tensors_alternatives: Mapping[str, Any] | None = None,
    ) -> ServingInputReceiver:
        """Checks the parts; see the class."""
        if features is None:
            raise ValueError("features must be defined.")
        if not isinstance(features, Mapping):
            features = {_FEATURE: features}
        for name, tensor in features.items():
            _require_tensor(tensor, f"feature {name}")
        return super().__new__(
            cls,
            dict(features),
            _receivers(receiver_tensors),
            _alternatives(receiver_tensors_alternatives),
        )


class TensorServingInputReceiver(collections.namedtuple("TensorServingInputReceiver", _FIELDS)):
    """A `ServingInputReceiver` for a model function whose features are one tensor, not a dict.

    Args:
      features: The tensor.
      receiver_tensors: As in `ServingInputReceiver`.
      receiver_tensors_alternatives: As in `ServingInputReceiver`.

    Raises:
      ValueError: Something is missing, not a tensor, or not named by a string.
    """

    def __new__(
        cls,
        features: Any,
        receiver_tensors: Any,
        receiver_tensors_alternatives: Mapping[str, Any] | None = None,
    ) -> TensorServingInputReceiver:
        """Checks the parts; see the class."""
        if features is None:
            raise ValueError("features must be defined.")
        _require_tensor(features, "feature")
        return super().__new__(
            cls,
            features,
            _receivers(receiver_tensors),
            _alternatives(receiver_tensors_alternatives),
        )


def build_raw_serving_input_receiver_fn(
    features: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """Builds a receiver that takes the features as they are.

    Args:
      features: By name, tensors (or `tf.TensorSpec`s) with the shapes and types to serve.
      default_batch_size: The size of the first dimension; None leaves it open.

    Returns:
      A function without arguments, to be called inside a graph.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        placeholders = {}
        for name, tensor in features.items():
            shape = tensor.shape.as_list()
            shape[0] = default_batch_size
            # The placeholder keeps the tensor's name, so that the graph reads like the original's.
            op_name = getattr(tensor, "op", None) and tensor.op.name
            placeholders[name] = tf1.placeholder(tensor.dtype, shape, name=op_name)
        return ServingInputReceiver(placeholders, placeholders)

    return serving_input_receiver_fn


def _require_tensor(value: Any, name: str) -> None:
    if not isinstance(value, (tf.Tensor, tf.SparseTensor, tf.RaggedTensor)):
        raise ValueError(f"{name} must be a Tensor, SparseTensor, or RaggedTensor.")


def _receivers(tensors: Any, kind: str = "receiver_tensor") -> dict[str, Any]:
    if tensors is None:
        raise ValueError(f"{kind}s must be defined.")
    if not isinstance(tensors, Mapping):
        tensors = {_RECEIVER: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, str):
            raise ValueError(f"{kind} keys must be strings: {name}.")
        _require_tensor(tensor, f"{kind} {name}")
    return dict(tensors)


def _alternatives(alternatives: Any) -> dict[str, dict[str, Any]] | None:
    if alternatives is None:
        return None
    if not isinstance(alternatives, Mapping):
        raise ValueError(f"receiver_tensors_alternatives must be a dict: {alternatives}.")
    return {
        name: _receivers(tensors, "receiver_tensors_alternative")
        for name, tensors in alternatives.items()
    }
