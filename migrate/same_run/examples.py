"""Keeps a few examples of the features that a program trains on, as requests for its exports.

examples.note(features)  # in the graph of an Estimator
values = session.run(examples.tensors(graph))
examples.first(values)  # {"age": array([31., 54.])}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

ROWS = 8  # Number of examples to keep.
_BYTES = 1 << 22  # A larger feature is not kept.
_COLLECTION = "migrate_same_run_features"


def note(features: Any) -> None:
    """Remembers the features of the current graph.

    Args:
      features: Argument of a model_fn. Only tensors and sparse tensors by name are kept.
    """
    import tensorflow as tf

    feature_map = features if isinstance(features, Mapping) else {"": features}
    tensor_map = {
        str(name): feature
        for name, feature in feature_map.items()
        if isinstance(feature, (tf.Tensor, tf.SparseTensor)) and feature.dtype.is_numpy_compatible
    }
    tf.compat.v1.get_default_graph().add_to_collection(_COLLECTION, tensor_map)


def tensors(graph: Any) -> dict[str, Any]:
    """Returns the features of a session's graph by name. A single tensor has the name ""."""
    collection = graph.get_collection(_COLLECTION)
    return dict(collection[-1]) if collection else {}


def first(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the first rows of a batch.

    Args:
      values: Values of the tensors that `tensors` returns.

    Returns:
      Arrays by name. A sparse feature is a dictionary of its indices, values and shape.
    """
    result: dict[str, Any] = {}
    for name, value in values.items():
        if hasattr(value, "dense_shape"):
            inside = np.asarray(value.indices)[:, 0] < ROWS
            shape = [min(ROWS, int(value.dense_shape[0])), *value.dense_shape[1:]]
            result[name] = {
                "indices": np.asarray(value.indices)[inside],
                "values": _texts(np.asarray(value.values)[inside]),
                "shape": np.asarray(shape),
            }
            continue
        rows = np.asarray(value)[:ROWS] if np.ndim(value) else np.asarray(value)
        if rows.nbytes <= _BYTES:
            result[name] = _texts(rows)
    return result


def as_bytes(array: np.ndarray) -> np.ndarray:
    """Returns an array of bytes for an array of texts. Returns other arrays unchanged."""
    if array.dtype.kind not in "OU":
        return array
    flat = [str(text).encode("utf-8", "surrogateescape") for text in array.ravel()]
    return np.array(flat, object).reshape(array.shape)


def _texts(array: np.ndarray) -> np.ndarray:
    """Returns an array of texts for an array of bytes. `as_bytes` restores all bytes."""
    if array.dtype.kind not in "OS":
        return array
    flat = [data.decode("utf-8", "surrogateescape") for data in array.ravel()]
    return np.array(flat, object).reshape(array.shape)
