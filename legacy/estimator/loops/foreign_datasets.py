"""Support for input functions that use a dataset of another graph, as in TensorFlow 1.

    dataset = tf.data.Dataset.range(3)  # In the program's graph, not in the Estimator's.
    estimator.train(lambda: dataset.make_one_shot_iterator().get_next())

TensorFlow 1 copied the dataset into the function of the one-shot iterator. It warned that this
would become an error, and programs of that time rely on it. TensorFlow 2 raises the error.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     dataset = tf.compat.v1.data.Dataset.range(3)
>>> with tf.Graph().as_default() as graph, copying():
...     dataset.make_one_shot_iterator().get_next().graph is graph
True
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

_METHOD = "make_one_shot_iterator"
_lock = threading.Lock()
# Counts the active `copying` contexts of all threads. The last one to exit restores the method.
_num_entered = 0
_original: Any = None


@contextlib.contextmanager
def copying() -> Iterator[None]:
    """Patches `make_one_shot_iterator` so that a dataset of another graph is copied."""
    global _num_entered, _original
    with _lock:
        if not _num_entered:
            _original = getattr(tf1.data.Dataset, _METHOD)
            setattr(tf1.data.Dataset, _METHOD, _copying_method(_original))
        _num_entered += 1
    try:
        yield
    finally:
        with _lock:
            _num_entered -= 1
            if not _num_entered:
                setattr(tf1.data.Dataset, _METHOD, _original)


def _copying_method(original: Any) -> Any:
    @functools.wraps(original)
    def make_one_shot_iterator(self: tf.data.Dataset) -> Any:
        variant = tf.data.experimental.to_variant(self)
        if not tf.is_symbolic_tensor(variant) or variant.graph is tf1.get_default_graph():
            return original(self)
        tf1.logging.warning(
            "input_fn uses a dataset that was made outside of it, in another graph; it is copied. "
            "Make all of the dataset in input_fn."
        )
        return tf1.data.make_one_shot_iterator(_copy(self, variant))

    return make_one_shot_iterator


def _copy(dataset: tf.data.Dataset, variant: tf.Tensor) -> tf.data.Dataset:
    """Returns a copy of the dataset in the current graph."""
    # Import only the operations that the dataset depends on.
    needed_names, queue = set(), [variant.op]
    while queue:
        operation = queue.pop()
        if operation.name not in needed_names:
            needed_names.add(operation.name)
            queue += [*(tensor.op for tensor in operation.inputs), *operation.control_inputs]
    definition = variant.graph.as_graph_def()
    nodes = [node for node in definition.node if node.name in needed_names]
    del definition.node[:]
    definition.node.extend(nodes)  # Keep the rest of the definition, such as the functions.
    copy = tf.import_graph_def(definition, return_elements=[variant.name], name="dataset")[0]
    return tf.data.experimental.from_variant(copy, dataset.element_spec)
