"""Reads a SavedModel and imports one of its graphs into the default graph, with replaced inputs.

    path = "/tmp/export/1700000000"
    meta_graph = read(path)[frozenset(["serve"])]
    outputs = load(meta_graph, path, {"x": mine}, meta_graph.signature_def["predict"].outputs)

The module uses TensorFlow's public API and, in addition, only its protobuf message formats.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2

tf1 = tf.compat.v1

_OUTPUT = "saved_model_output"


def read(saved_model_dir: str | bytes) -> dict[frozenset[str], Any]:
    """Reads a SavedModel's graphs without loading them into TensorFlow.

    Args:
      saved_model_dir: The folder with `saved_model.pb` or `saved_model.pbtxt`.

    Returns:
      MetaGraphDef messages by their sets of tags.

    Raises:
      OSError: The folder has neither of the two files.
    """
    folder = tf.compat.as_str(saved_model_dir)
    model = saved_model_pb2.SavedModel()
    binary = os.path.join(folder, tf.saved_model.SAVED_MODEL_FILENAME_PB)
    text = os.path.join(folder, tf.saved_model.SAVED_MODEL_FILENAME_PBTXT)
    if tf.io.gfile.exists(binary):
        with tf.io.gfile.GFile(binary, "rb") as file:
            model.ParseFromString(file.read())
    elif tf.io.gfile.exists(text):
        with tf.io.gfile.GFile(text) as file:
            text_format.Parse(file.read(), model)
    else:
        raise OSError(f"SavedModel file does not exist at: {folder}: no {binary} and no {text}.")
    return {frozenset(graph.meta_info_def.tags): graph for graph in model.meta_graphs}


def load(
    meta_graph: Any,
    saved_model_dir: str | bytes,
    input_map: Mapping[str, tf.Tensor],
    outputs: Mapping[str, Any],
) -> dict[str, tf.Tensor]:
    """Imports a graph and its collections into the default graph.

    Args:
      meta_graph: A MetaGraphDef message.
      saved_model_dir: The SavedModel's folder, from which the imported graph reads its assets.
      input_map: Tensors that replace the inputs of the graph, by input name.
      outputs: TensorInfo messages by name.

    Returns:
      The output tensors by name.
    """
    graph = tf1.get_default_graph()
    meta_graph_copy = type(meta_graph)()
    meta_graph_copy.CopyFrom(meta_graph)
    _point_to_assets(meta_graph_copy, tf.compat.as_bytes(saved_model_dir))
    used_names = {node.name for node in meta_graph.graph_def.node}
    used_names |= {operation.name for operation in graph.get_operations()}
    # TensorFlow renames an imported operation if its name is taken, and does not return the new
    # name. So each output gets an Identity operation with a name that is certainly free.
    names = {}
    for key, info in outputs.items():
        names[key] = next(
            n for i in range(len(used_names) + 1) if (n := f"{_OUTPUT}_{i}") not in used_names
        )
        used_names.add(names[key])
        node = meta_graph_copy.graph_def.node.add(name=names[key], op="Identity", input=[info.name])
        node.attr["T"].type = info.dtype
    tf1.train.import_meta_graph(meta_graph_copy, input_map=dict(input_map))
    return {key: graph.get_tensor_by_name(f"{name}:0") for key, name in names.items()}


def main_op() -> Any:
    """Returns the operation that initializes a loaded SavedModel, or None.

    Raises:
      RuntimeError: The SavedModel names several operations.
    """
    main_ops = tf1.get_collection(tf1.saved_model.MAIN_OP_KEY)
    if len(main_ops) > 1:
        raise RuntimeError(f"Expected exactly one SavedModel init op. Found {main_ops}.")
    return main_ops[0] if main_ops else None


def clear_collections() -> None:
    """Empties the collections of a loaded SavedModel that a later export fills again."""
    keys = (tf1.saved_model.MAIN_OP_KEY, tf1.saved_model.LEGACY_INIT_OP_KEY)
    for key in (tf.saved_model.ASSETS_KEY, *keys):
        tf1.get_collection_ref(key).clear()


def _point_to_assets(meta_graph: Any, saved_model_dir: bytes) -> None:
    """Sets the constants that hold asset paths to the files in the SavedModel's folder.

    TensorFlow's loader only feeds these constants during initialization. The graph keeps the paths
    of the first export, with which another export of the loaded graph would not find the files.
    """
    collections = meta_graph.collection_def
    key = tf.saved_model.ASSETS_KEY
    folder = os.path.join(saved_model_dir, tf.saved_model.ASSETS_DIRECTORY.encode())
    nodes = {node.name: node for node in meta_graph.graph_def.node}
    for packed_asset in collections[key].any_list.value if key in collections else ():
        asset = meta_graph_pb2.AssetFileDef()
        packed_asset.Unpack(asset)
        value = nodes[asset.tensor_info.name.partition(":")[0]].attr["value"].tensor
        value.string_val[:] = [os.path.join(folder, asset.filename.encode())]
