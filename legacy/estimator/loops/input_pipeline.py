"""Splits the result of a user's input function into features and labels.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     dataset = tf.data.Dataset.from_tensors(([1.0], [2.0]))
...     features, labels, hooks = features_and_labels(dataset)
>>> len(hooks)
1
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class DatasetInitializerHook(tf1.train.SessionRunHook):
    """Initializes the iterator of a dataset in each new session.

    Args:
      iterator: A `tf.compat.v1.data.Iterator` from `make_initializable_iterator`.
    """

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator

    def begin(self) -> None:
        """Looks up the initializer before the graph is finalized."""
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Starts the input from the beginning."""
        session.run(self._initializer)


def features_and_labels(result: Any) -> tuple[Any, Any, list[Any]]:
    """Returns the features, labels and hooks for the result of an input function.

    Args:
      result: A Dataset, a pair (features, labels), or features only.

    Returns:
      Features, labels or None, and the hooks that the input needs.

    Raises:
      ValueError: If the result is a tuple of other than two elements.
    """
    hooks: list[Any] = []
    if isinstance(result, tf.data.Dataset):
        with tf.device("/cpu:0"):
            iterator = tf1.data.make_initializable_iterator(result)
            hooks.append(DatasetInitializerHook(iterator))
            result = iterator.get_next()
    return (*split(result), hooks)


def split(element: Any) -> tuple[Any, Any]:
    """Splits an element of the input into features and labels.

    Args:
      element: A pair (features, labels) as a tuple or list, or features only.

    Returns:
      Features, and labels or None.

    Raises:
      ValueError: If the element is a tuple or list of other than two elements.
    """
    if not isinstance(element, (list, tuple)):
        return element, None
    if len(element) != 2:
        raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    return element[0], element[1]


def can_end(features: Any) -> bool:
    """Returns True if the features come from a dataset or a queue, whose data can end.

    Args:
      features: A tensor, or a structure of tensors.
    """
    tensors = [part for part in tf.nest.flatten(features) if isinstance(part, tf.Tensor)]
    from_dataset = any(tensor.op.type == "IteratorGetNext" for tensor in tensors)
    return from_dataset or bool(tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS))


def warn_if_endless(features: Any) -> None:
    """Logs a warning if the input cannot end.

    Args:
      features: Features from an input function for prediction.
    """
    if not can_end(features):
        tf1.logging.warning(
            "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means "
            "predict yields forever. This is probably a mistake."
        )
