"""Lookup tables of a model_fn that is called inside tf.functions.

    tables = LookupTables(strategy)
    with tables.kept(on_workers=True):
        spec = model_fn(features, labels, mode)

A model_fn makes its tables anew in each call. The operation that fills a table of TF1 becomes part
of the graph: a session runs it once, but a tf.function would run it in each step. Here a table is
filled when it is made, and calls that need equal tables share one. Under ParameterServerStrategy
each worker has a copy, as under Estimator. Otherwise the workers would send their words to the
coordinator in each step.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
from tensorflow.python.distribute import ps_values

tf1 = tf.compat.v1
# The classes of tables that do not change. A class of tf.contrib has the name of the last.
_KINDS = ("StaticHashTable", "StaticHashTableV1", "HashTable")
_VALUES = (str, int, type(None), tf.DType)


class LookupTables:
    """The lookup tables of a bridged model.

    Args:
      strategy: The strategy of the model.
    """

    def __init__(self, strategy: tf.distribute.Strategy) -> None:
        self._strategy = strategy
        self._tables: dict[Any, Any] = {}

    @contextlib.contextmanager
    def kept(self, on_workers: bool) -> Iterator[None]:
        """Makes the tables of a model_fn outside of its graph, within the block, in this thread.

        A table whose contents the graph computes is made inside of the graph.

        Args:
          on_workers: Whether workers run the graph, under ParameterServerStrategy.
        """
        copied = on_workers and isinstance(self._strategy, tf.distribute.ParameterServerStrategy)
        graph = tf1.get_default_graph()
        with contextlib.ExitStack() as scopes:
            for kind in _KINDS:
                scope = graph._resource_creator_scope(kind, self._creator(kind, copied))
                scopes.enter_context(scope)
            yield

    def _creator(self, kind: str, copied: bool) -> Callable[..., Any]:
        """Returns the function that makes tables of a kind, or finds an equal one.

        It is a function, because a graph makes deep copies of its creators. That of a method would
        include the strategy.
        """

        def create(make: Callable[..., Any], initializer: Any, *args: Any, **options: Any) -> Any:
            eager = _eager(initializer)
            if eager is None or any(tf.is_tensor(arg) for arg in (*args, *options.values())):
                return make(initializer, *args, **options)
            initializer, contents = eager
            key = (kind, copied, contents, str(args), str(options))

            def make_one() -> Any:
                with tf.init_scope():
                    return make(initializer, *args, **options)

            if key not in self._tables:
                self._tables[key] = (
                    ps_values.DistributedTable(self._strategy, make_one) if copied else make_one()
                )
            table = self._tables[key]
            # The model_fn may group this operation with others. The table is already filled.
            getattr(table, "_coordinator_instance", table)._init_op = tf.no_op()
            initializers = tf1.get_collection_ref(tf1.GraphKeys.TABLE_INITIALIZERS)
            initializers[:] = [operation for operation in initializers if operation is not None]
            return table

        return create


def _eager(initializer: Any) -> tuple[Any, Any] | None:
    """Returns an initializer without tensors of a graph, and values that only its equals have.

    Returns:
      None if there is none, because a graph computes the contents.
    """
    if isinstance(initializer, tf.lookup.TextFileInitializer):
        values = {n: v for n, v in vars(initializer).items() if isinstance(v, _VALUES)}
        is_known = isinstance(values.get("_filename_arg"), str)
        return (initializer, (*values.items(),)) if is_known else None
    if not isinstance(initializer, tf.lookup.KeyValueTensorInitializer):
        return None
    arrays = [tf.get_static_value(part) for part in (initializer._keys, initializer._values)]
    if any(array is None for array in arrays):
        return None
    with tf.init_scope():
        keys, values = (tf.constant(array) for array in arrays)
        contents = tuple(tf.io.serialize_tensor(tensor).numpy() for tensor in (keys, values))
        return tf.lookup.KeyValueTensorInitializer(keys, values), contents
