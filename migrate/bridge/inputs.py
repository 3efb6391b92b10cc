"""Inputs of a bridged model: features and labels, and their types.

>>> import numpy as np
>>> specs({"x": np.zeros([8, 3], "f")}, np.zeros([8], "i"), None)[1]
TensorSpec(shape=(None,), dtype=tf.int32, name=None)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from migrate.bridge.errors import BridgeError


def specs(x: Any, y: Any, strategy: tf.distribute.Strategy | None) -> tuple[Any, Any]:
    """Returns the types of the features and labels in the data of Keras' `fit`.

    Args:
      x: A dataset, a distributed dataset, a DatasetCreator, or features.
      y: Labels, if x is features.
      strategy: Strategy of the model. None means one replica.

    Returns:
      Nests of TypeSpecs. The specs of arrays allow any number of examples. Labels are None if the
      data has none.

    Raises:
      BridgeError: The data is of another type, or its elements are not features and labels.
    """
    creator = getattr(x, "dataset_fn", None)
    if callable(creator):
        x = creator(tf.distribute.InputContext())
    element = getattr(x, "element_spec", None)
    if element is not None:
        replicas = strategy.num_replicas_in_sync if strategy else 1
        return features_and_labels(_of_one_replica(element, replicas))
    if x is None or callable(x) or hasattr(x, "__next__"):
        raise BridgeError(
            f"{type(x).__name__} cannot be trained on: give a tf.data.Dataset or arrays."
        )
    features = tf.nest.map_structure(_any_batch, x)
    return features, None if y is None else tf.nest.map_structure(_any_batch, y)


def share_first_iterator(data: Any) -> Any:
    """Returns data for which Keras creates only one iterator before it reads.

    Keras creates an iterator of a dataset when it prepares, and another one for the first epoch
    (`DataHandler.enumerate_epochs` of tf_keras 2.21). A shuffle draws a new order for each
    iterator, even with a seed. Thus the order that an Estimator read would be lost. Here the first
    two requests get the same iterator.

    Args:
      data: Data as `fit`, `evaluate` or `predict` takes it. Only a dataset is changed.
    """
    if not isinstance(data, tf.data.Dataset):
        return data
    dataset = data.take(-1)
    kind = type(dataset)
    iterators: list[Iterator[Any] | None] = []

    def iterate(self: tf.data.Dataset) -> Any:
        if not iterators:
            iterators.append(kind.__iter__(self))
            return iterators[0]
        first, iterators[0] = iterators[0], None
        return first or kind.__iter__(self)

    # Python looks up __iter__ in the class, so an instance attribute has no effect. Datasets have
    # no public class to derive from.
    dataset.__class__ = type(kind.__name__, (kind,), {"__iter__": iterate})
    return dataset


def _of_one_replica(element: Any, replicas: int) -> Any:
    """Removes the per-replica parts of a distributed dataset's element_spec."""

    def replica_spec(spec: Any) -> Any:
        per_replica = getattr(spec, "_value_specs", None)
        return per_replica[0] if per_replica else spec

    if replicas == 1:
        return tf.nest.map_structure(replica_spec, element)

    def any_share(spec: Any) -> Any:
        # Replicas can get unequal shares of a last batch.
        spec = replica_spec(spec)
        if isinstance(spec, tf.TensorSpec) and spec.shape.rank:
            return tf.TensorSpec([None, *spec.shape[1:]], spec.dtype)
        return spec

    return tf.nest.map_structure(any_share, element)


def spec_of(value: Any) -> Any:
    """Returns a tensor's TypeSpec."""
    return tf.type_spec_from_value(value)


def _any_batch(value: Any) -> Any:
    tensor = tf.convert_to_tensor(value) if not hasattr(value, "dtype") else value
    dtype = tf.as_dtype(tensor.dtype)
    # Keras feeds float64 arrays as float32.
    dtype = tf.float32 if dtype == tf.float64 and not tf.is_tensor(value) else dtype
    return tf.TensorSpec([None, *tensor.shape[1:]], dtype)


def features_and_labels(data: Any) -> tuple[Any, Any]:
    """Splits a dataset's element. Labels are None if the element has only features.

    Raises:
      BridgeError: The element has a third part.
    """
    if not isinstance(data, tuple):
        return data, None
    if len(data) > 2 and data[2] is not None:
        raise BridgeError(
            "the data has sample weights, which a model_fn does not take: make them a feature."
        )
    return data[0], data[1] if len(data) > 1 else None


def encode(structure: Any) -> Any:
    """Returns specs of dense tensors in a form that JSON can hold.

    Raises:
      BridgeError: A spec is not of a dense tensor.
    """
    if structure is None:
        return None
    if isinstance(structure, dict):
        return {"dict": {key: encode(value) for key, value in structure.items()}}
    if isinstance(structure, tuple | list):
        return {"tuple": [encode(value) for value in structure]}
    if isinstance(structure, tf.TensorSpec):
        return {"dtype": structure.dtype.name, "shape": structure.shape.as_list()}
    raise BridgeError(f"{structure} is not a dense tensor, and cannot be saved as a model's input.")


def decode(structure: Any) -> Any:
    """Reverses `encode`."""
    if structure is None:
        return None
    if "dict" in structure:
        return {key: decode(value) for key, value in structure["dict"].items()}
    if "tuple" in structure:
        return tuple(decode(value) for value in structure["tuple"])
    return tf.TensorSpec(structure["shape"], tf.as_dtype(structure["dtype"]))
