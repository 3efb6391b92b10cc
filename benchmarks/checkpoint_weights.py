"""The weights in a checkpoint by the names that their variables had, whichever way wrote it.

    weights = checkpoint_weights.read("model/checkpoints/ckpt-100", names={"hidden/kernel", ...})

A v1 Saver's checkpoint has them under those names. tf.train.Checkpoint's has them under their place
in the object graph, and keeps the names beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import trackable_object_graph_pb2

_OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


def read(
    path: str, names: Collection[str], renamed: Mapping[str, str] | None = None
) -> dict[str, np.ndarray]:
    """Reads the weights of a model.

    Args:
      path: a checkpoint's prefix.
      names: of the model's weights; other values (optimizer slots, the global step) are left out.
      renamed: from a name in this checkpoint to the model's, where it is another.

    Returns:
      Name to array, for those that are there.
    """
    reader = tf.train.load_checkpoint(path)
    keys = {(renamed or {}).get(name, name): key for name, key in _keys(reader).items()}
    return {name: reader.get_tensor(keys[name]) for name in names if name in keys}


def _keys(reader: tf.train.CheckpointReader) -> dict[str, str]:
    """From a variable's name to its key in the checkpoint."""
    if not reader.has_tensor(_OBJECT_GRAPH):
        return {name: name for name in reader.get_variable_to_shape_map()}
    graph = trackable_object_graph_pb2.TrackableObjectGraph()
    graph.ParseFromString(reader.get_tensor(_OBJECT_GRAPH))
    return {
        attribute.full_name: attribute.checkpoint_key
        for node in graph.nodes
        for attribute in node.attributes
        if attribute.full_name
    }
