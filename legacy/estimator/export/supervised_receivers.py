"""Receivers of features and labels for SavedModels that train or evaluate.

>>> import tensorflow as tf
>>> receiver_fn = build_raw_supervised_input_receiver_fn(
...     {"x": tf.TensorSpec([None, 4])}, tf.TensorSpec([None, 1])
... )
>>> with tf.Graph().as_default():
...     sorted(receiver_fn().receiver_tensors)
['label', 'x']
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.export import receivers
from legacy.estimator.loops import input_pipeline


class SupervisedInputReceiver(
    collections.namedtuple("SupervisedInputReceiver", ("features", "labels", "receiver_tensors"))
):
    """The placeholders of a training or an evaluation, with the features and labels.

    Args:
      features: A tensor, or a dict of tensors by name or number. It is passed to the model_fn
        unchanged.
      labels: A tensor, or a dict of tensors by name or number, as for the features.
      receiver_tensors: The placeholders by name. A single placeholder is named "input".

    Raises:
      ValueError: An argument is missing, a value is not a tensor, or a name is not a string.
    """

    def __new__(cls, features: Any, labels: Any, receiver_tensors: Any) -> SupervisedInputReceiver:
        """Checks the arguments."""
        receivers.wrap_and_check_input_tensors(features, "feature", allow_int_keys=True)
        receivers.wrap_and_check_input_tensors(labels, "label", allow_int_keys=True)
        placeholders = receivers.wrap_and_check_input_tensors(receiver_tensors, "receiver_tensor")
        return super().__new__(cls, features, labels, placeholders)


def build_raw_supervised_input_receiver_fn(
    features: Any, labels: Any, default_batch_size: int | None = None
) -> Callable[[], SupervisedInputReceiver]:
    """Builds a receiver that takes features and labels without parsing.

    Args:
      features: A dict of tensors or `tf.TensorSpec`s by name. A single tensor is named "input".
      labels: A dict of tensors or `tf.TensorSpec`s by name. A single tensor is named "label".
      default_batch_size: The size of the first dimension. None leaves it open.

    Returns:
      A function without arguments, to be called inside a graph.

    Raises:
      ValueError: A feature and a label have the same name.
    """
    groups = (
        (features, receivers.SINGLE_RECEIVER_DEFAULT_NAME),
        (labels, receivers.SINGLE_LABEL_DEFAULT_NAME),
    )
    names = [set(group if isinstance(group, Mapping) else (name,)) for group, name in groups]
    if names[0] & names[1]:
        raise ValueError(
            "Features and labels must have distinct keys. "
            f"Found overlapping keys: {names[0] & names[1]}"
        )

    def supervised_input_receiver_fn() -> SupervisedInputReceiver:
        receiver_arguments, placeholders = [], {}
        for group, name in groups:
            if isinstance(group, Mapping):
                receiver_arguments.append(receivers.placeholders_like(group, default_batch_size))
                placeholders.update(receiver_arguments[-1])
            else:
                receiver_arguments.append(receivers.placeholder_like(group, default_batch_size))
                placeholders[name] = receiver_arguments[-1]
        return SupervisedInputReceiver(*receiver_arguments, placeholders)

    return supervised_input_receiver_fn


def build_supervised_input_receiver_fn_from_input_fn(
    input_fn: Callable[..., Any], **input_fn_args: Any
) -> Callable[[], SupervisedInputReceiver]:
    """Builds a receiver for the features and labels of an input function.

    Args:
      input_fn: A function that returns a Dataset of (features, labels), or the two as tensors. It
        is called once, in a new graph, to read the shapes and dtypes.
      **input_fn_args: The arguments of `input_fn`.

    Returns:
      A function without arguments, to be called inside a graph.

    Raises:
      ValueError: `input_fn` does not return a pair, or a feature has the name of a label.
    """
    with tf.Graph().as_default():
        features, labels, _ = input_pipeline.features_and_labels(input_fn(**input_fn_args))
    return build_raw_supervised_input_receiver_fn(features, labels)
