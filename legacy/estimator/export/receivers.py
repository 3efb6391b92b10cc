"""Serving input receivers, which define the inputs of a SavedModel.

>>> import tensorflow as tf
>>> receiver_fn = build_raw_serving_input_receiver_fn({"x": tf.TensorSpec([None, 4])})
>>> with tf.Graph().as_default():
...     list(receiver_fn().receiver_tensors)
['x']

The checks, their order and the default names of single tensors are those observed in TensorFlow
2.15.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

SINGLE_FEATURE_DEFAULT_NAME = "feature"
SINGLE_LABEL_DEFAULT_NAME = "label"
SINGLE_RECEIVER_DEFAULT_NAME = "input"

_FIELDS = ("features", "receiver_tensors", "receiver_tensors_alternatives")
_DEFAULT_NAMES = {
    "feature": SINGLE_FEATURE_DEFAULT_NAME,
    "label": SINGLE_LABEL_DEFAULT_NAME,
    "receiver_tensor": SINGLE_RECEIVER_DEFAULT_NAME,
    "receiver_tensors_alternative": SINGLE_RECEIVER_DEFAULT_NAME,
}


class ServingInputReceiver(collections.namedtuple("ServingInputReceiver", _FIELDS)):
    """The placeholders of a signature, and the features that are computed from them.

    Args:
      features: Features for the model_fn, a dict of tensors by name or number. A single tensor
        becomes `{"feature": tensor}`.
      receiver_tensors: The placeholders by name. A single placeholder is named "input".
      receiver_tensors_alternatives: Alternative groups of tensors to feed, by name.

    Raises:
      ValueError: An argument is missing, a value is not a tensor, or a name is not a string.
    """

    def __new__(
        cls,
        features: Any,
        receiver_tensors: Any,
        receiver_tensors_alternatives: dict[str, Any] | None = None,
    ) -> ServingInputReceiver:
        """Checks the arguments."""
        return super().__new__(
            cls,
            wrap_and_check_input_tensors(features, "feature", allow_int_keys=True),
            wrap_and_check_input_tensors(receiver_tensors, "receiver_tensor"),
            _checked_alternatives(receiver_tensors_alternatives),
        )


class TensorServingInputReceiver(collections.namedtuple("TensorServingInputReceiver", _FIELDS)):
    """A `ServingInputReceiver` for a model_fn whose features are one tensor, not a dict.

    Args:
      features: The tensor.
      receiver_tensors: As in `ServingInputReceiver`.
      receiver_tensors_alternatives: As in `ServingInputReceiver`.

    Raises:
      ValueError: An argument is missing, a value is not a tensor, or a name is not a string.
    """

    def __new__(
        cls,
        features: Any,
        receiver_tensors: Any,
        receiver_tensors_alternatives: dict[str, Any] | None = None,
    ) -> TensorServingInputReceiver:
        """Checks the arguments."""
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, "feature")
        return super().__new__(
            cls,
            features,
            wrap_and_check_input_tensors(receiver_tensors, "receiver_tensor"),
            _checked_alternatives(receiver_tensors_alternatives),
        )


class UnsupervisedInputReceiver(ServingInputReceiver):
    """A `ServingInputReceiver` for exports of a training or an evaluation without labels.

    Args:
      features: As in `ServingInputReceiver`.
      receiver_tensors: As in `ServingInputReceiver`.
    """

    def __new__(cls, features: Any, receiver_tensors: Any) -> UnsupervisedInputReceiver:
        """Checks the arguments."""
        return super().__new__(cls, features, receiver_tensors, None)


def build_parsing_serving_input_receiver_fn(
    feature_spec: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """Builds a receiver that parses serialized `tf.train.Example`s.

    Args:
      feature_spec: Parsing configurations by name, such as `tf.io.FixedLenFeature`s.
      default_batch_size: Number of examples per batch. None leaves it open.

    Returns:
      A function without arguments, to be called inside a graph. Its receiver tensor is named
      "examples" and takes strings of shape [default_batch_size].
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        examples = tf1.placeholder(tf.string, [default_batch_size], name="input_example_tensor")
        features = tf1.io.parse_example(examples, feature_spec)
        return ServingInputReceiver(features, {"examples": examples})

    return serving_input_receiver_fn


def build_raw_serving_input_receiver_fn(
    features: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """Builds a receiver that takes the features without parsing.

    Args:
      features: Tensors or `tf.TensorSpec`s by name, with the shapes and dtypes to serve.
      default_batch_size: The size of the first dimension. None leaves it open.

    Returns:
      A function without arguments, to be called inside a graph.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        placeholders = placeholders_like(features, default_batch_size)
        return ServingInputReceiver(placeholders, placeholders)

    return serving_input_receiver_fn


def placeholder_like(tensor: Any, default_batch_size: int | None = None) -> tf.Tensor:
    """Makes a placeholder with the dtype and shape of a tensor.

    Args:
      tensor: A tensor or `tf.TensorSpec`. The placeholder also gets the name of a TensorSpec or
        of a graph's tensor.
      default_batch_size: The size of the first dimension. None leaves it open.

    Returns:
      The placeholder. Its rank is unknown if the tensor's rank is unknown.
    """
    shape = tf.TensorShape([default_batch_size]).concatenate(tensor.shape[1:])
    # An eager tensor has no `op`.
    name = getattr(getattr(tensor, "op", None), "name", None)
    if isinstance(tensor, tf.TensorSpec):
        name = tensor.name
    return tf1.placeholder(tensor.dtype, shape, name=name)


def placeholders_like(
    tensors: Mapping[str, Any], default_batch_size: int | None = None
) -> dict[str, tf.Tensor]:
    """Makes a placeholder for each tensor. See `placeholder_like`."""
    return {name: placeholder_like(tensor, default_batch_size) for name, tensor in tensors.items()}


def wrap_and_check_input_tensors(
    tensors: Any, field_name: str, allow_int_keys: bool = False
) -> dict[Any, Any]:
    """Checks the tensors of one field of a receiver.

    Args:
      tensors: A dict of tensors, or one tensor.
      field_name: "feature", "label", "receiver_tensor" or "receiver_tensors_alternative".
      allow_int_keys: If true, accepts integers as names.

    Returns:
      The same dict. A single tensor is returned in a dict under the field's default name.

    Raises:
      ValueError: `tensors` is None, a name is not a string, or a value is not a tensor.
    """
    if tensors is None:
        raise ValueError(f"{field_name}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {_DEFAULT_NAMES[field_name]: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, (str, int) if allow_int_keys else str):
            kinds = "strings or ints" if allow_int_keys else "strings"
            raise ValueError(f"{field_name} keys must be {kinds}: {name}.")
        _check_tensor(tensor, f"{field_name} {name}" if name else field_name)
    return tensors


def _check_tensor(value: Any, name: str) -> None:
    if isinstance(value, (tf.Tensor, tf.SparseTensor, tf.RaggedTensor)):
        return
    error = ValueError(f"{name} must be a Tensor, SparseTensor, or RaggedTensor. Got: {value!r}")
    # Wrappers such as LabeledTensor hold a tensor, and TensorFlow converts them to it.
    if not hasattr(value, "tensor"):
        raise error
    try:
        tf.convert_to_tensor(value)
    except TypeError:
        raise error from None


def _checked_alternatives(alternatives: Any) -> dict[str, dict[str, Any]] | None:
    if alternatives is None:
        return None
    if not isinstance(alternatives, dict):
        raise ValueError(f"receiver_tensors_alternatives must be a dict: {alternatives}.")
    for name, tensors in alternatives.items():
        alternatives[name] = wrap_and_check_input_tensors(tensors, "receiver_tensors_alternative")
    return alternatives
