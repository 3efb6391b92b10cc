"""Takes features and labels from what a user's input function returns.

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
    """Initializes a dataset's iterator in each new session.

    Args:
      iterator: A `tf.compat.v1.data.Iterator` made by `make_initializable_iterator`.
    """

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator

    def begin(self) -> None:
        """Looks up the operation while the graph can still grow."""
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Starts the input from its beginning."""
        session.run(self._initializer)


def features_and_labels(result: Any) -> tuple[Any, Any, list[Any]]:
    """Takes features, labels and hooks from an input function's result.

    Args:
      result: A Dataset, a pair (features, labels), or features alone.

    Returns:
      Features, labels (None where there are none), and the hooks that the input needs.

    Raises:
      ValueError: A tuple that is not a pair.
    """
    hooks: list[Any] = []
    if isinstance(result, tf.data.Dataset):
        with tf.device("/cpu:0"):
            iterator = tf1.data.make_initializable_iterator(result)
            hooks.append(DatasetInitializerHook(iterator))
            result = iterator.get_next()
    return (*split(result), hooks)


def split(element: Any) -> tuple[Any, Any]:
    """Splits one element of the input into features and labels.

    Args:
      element: A pair (features, labels) as a tuple or list, or features alone.

    Returns:
      Features and labels; the labels are None where there are none.

    Raises:
      ValueError: A tuple or list that is not a pair.
    """
    if not isinstance(element, (list, tuple)):
        return element, None
    if len(element) != 2:
        raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    return element[0], element[1]


def can_end(features: Any) -> bool:
    """Says whether a dataset or a queue is where features come from.

    Args:
      features: A tensor, or a structure of tensors.
    """
    tensors = [part for part in tf.nest.flatten(features) if isinstance(part, tf.Tensor)]
    from_dataset = any(tensor.op.type == "IteratorGetNext" for tensor in tensors)
    return from_dataset or bool(tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS))


def warn_if_endless(features: Any) -> None:
    """Warns where nothing that the features come from can end the input.

    Args:
      features: What an input function returned for prediction.
    """
    if not can_end(features):
        tf1.logging.warning(
            "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means "
            "predict yields forever. This is probably a mistake."
        )
