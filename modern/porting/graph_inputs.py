"""Reads an input function that returns tensors of a graph, such as those of a queue, as a dataset.

    model.fit(porting.graph_dataset(input_fn), callbacks=porting.callbacks(model))

An Estimator took tensors from an input_fn: those of an iterator, of a queue, or constants. The
function still runs in a graph and a session. Each iterator of the dataset starts a new session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1
_STOP_S = 5  # Time for the threads of queues to end.


def graph_dataset(input_fn: Callable[[], Any], hooks: Sequence[Any] = ()) -> tf.data.Dataset:
    """Returns a dataset with the batches of an input_fn, as an Estimator read them.

    Args:
      input_fn: Function without arguments that returns a dataset, (features, labels), or features.
      hooks: SessionRunHooks that initialize its iterators in `after_create_session`.

    Raises:
      ValueError: The function returns something else.
    """
    graph = tf.Graph()
    with graph.as_default():
        tf1.train.get_or_create_global_step()  # An Estimator made it before it called the function.
        # TensorFlow 1 had no resource variables by default, and `match_filenames_once` passes its
        # variable to code that tests it as a bool.
        with tf1.variable_scope(tf1.get_variable_scope(), use_resource=False):
            result = input_fn()
        if isinstance(result, tf.data.Dataset):
            iterator = tf1.data.make_initializable_iterator(result)
            tf1.add_to_collection(tf1.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
            result = iterator.get_next()
        element = _element(result)
        for hook in hooks:
            hook.begin()
        initializers = [
            tf1.global_variables_initializer(),
            tf1.local_variables_initializer(),
            tf1.tables_initializer(),
        ]

    def batches() -> Iterator[Any]:
        # Other threads may request later batches, so that no context is open at a yield.
        session, coordinator = tf1.Session(graph=graph), tf.train.Coordinator()
        threads: list[Any] = []
        try:
            with graph.as_default(), session.as_default():
                session.run(initializers[:2])
                session.run(initializers[2])
                for hook in hooks:
                    hook.after_create_session(session, coordinator)
                threads = _start_queues(session, coordinator)
            while not coordinator.should_stop():
                yield tf.nest.map_structure(_value, session.run(element))
        except tf.errors.OutOfRangeError:
            pass
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=_STOP_S, ignore_live_threads=True)
            session.close()

    return tf.data.Dataset.from_generator(
        batches, output_signature=tf.nest.map_structure(tf.type_spec_from_value, element)
    )


def _element(result: Any) -> Any:
    """Returns the tensors of an input_fn's result, without labels that are None."""
    if not isinstance(result, (list, tuple)):
        return tf.nest.map_structure(tf1.convert_to_tensor_or_sparse_tensor, result)
    if len(result) != 2:
        raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    features, labels = result
    parts = tuple(result) if labels is not None else features
    return tf.nest.map_structure(tf1.convert_to_tensor_or_sparse_tensor, parts)


def _start_queues(session: Any, coordinator: tf.train.Coordinator) -> list[Any]:
    """Starts the threads that fill queues."""
    if not tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS):
        return []
    return list(tf1.train.start_queue_runners(session, coordinator))


def _value(value: Any) -> Any:
    return tf.SparseTensor(*value) if isinstance(value, tf1.SparseTensorValue) else value
