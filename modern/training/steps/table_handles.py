"""Handles of lookup tables, which a coordinator sends to a worker with each request.

    with table_handles.sent_once(graph):
        predictions = model(batch)  # Inside of a tf.function.

Under ParameterServerStrategy each worker has a copy of a `tf.lookup.StaticHashTable` or a
`tf_keras.layers.StringLookup`. TensorFlow gives the graph inputs for each use of a table, and the
coordinator sends their values with each request. docs/performance.md has figures, under "Lookup
tables".
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def sent_once(graph: Any) -> Iterator[None]:
    """Lets a graph that is built within the block have one input for each lookup table.

    Args:
      graph: The graph of a tf.function.
    """
    capture = graph.capture_call_time_value

    def capture_once(
        closure: Any, spec: Any, key: Any = None, default_value: Any = None, **options: Any
    ) -> Any:
        if key is None and default_value is not None:
            # The handle of the coordinator's own table. The graph keeps it alive, so that no other
            # object gets its id.
            key = ("lookup table", id(default_value))
        return capture(closure, spec, key, default_value, **options)

    graph.capture_call_time_value = capture_once
    try:
        yield
    finally:
        del graph.capture_call_time_value
