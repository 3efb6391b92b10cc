"""Configuration of TensorBoard's projector: the embeddings that it shows.

    config = ProjectorConfig()
    embedding = config.embeddings.add()
    embedding.tensor_name = variable.name
    embedding.metadata_path = "words.tsv"
    visualize_embeddings(tf.compat.v1.summary.FileWriter("/tmp/logs"), config)

The messages are protocol buffers. They are defined here with their original names and numbers, so a
training job does not need TensorBoard:

- `SpriteMetadata`, an image that is composed of the images of all examples. `single_image_dim` is
  the width and height of one of them, in pixels. The other field is `image_path`.
- `EmbeddingInfo`, one embedding: `tensor_name`, `metadata_path` (a TSV file of labels),
  `bookmarks_path` (a JSON file of views), `tensor_shape`, `sprite`, `tensor_path` (a TSV file of
  vectors, instead of a checkpoint).
- `ProjectorConfig`, all embeddings of a folder: `model_checkpoint_path`, `embeddings`,
  `model_checkpoint_dir`.
"""

from __future__ import annotations

import os
from typing import Any

import tensorflow as tf
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

from legacy.contrib import _missing

_FILE = "projector_config.pbtxt"
_Field = descriptor_pb2.FieldDescriptorProto
_PACKAGE = "tensorflow"
# The fields of each message, in the order of their numbers, which start at 1. "*" before a type
# marks a repeated field. A capitalized type is a message.
_MESSAGES = {
    "SpriteMetadata": {"image_path": "string", "single_image_dim": "*uint32"},
    "EmbeddingInfo": {
        "tensor_name": "string",
        "metadata_path": "string",
        "bookmarks_path": "string",
        "tensor_shape": "*uint32",
        "sprite": "SpriteMetadata",
        "tensor_path": "string",
    },
    "ProjectorConfig": {
        "model_checkpoint_path": "string",
        "embeddings": "*EmbeddingInfo",
        "model_checkpoint_dir": "string",
    },
}


def _classes() -> dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(
        name="legacy/contrib/tensorboard/projector_config.proto", package=_PACKAGE, syntax="proto3"
    )
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, (field, kind) in enumerate(fields.items(), start=1):
            type_name = kind.removeprefix("*")
            new_field = message.field.add(name=field, number=number)
            new_field.label = _Field.LABEL_REPEATED if kind != type_name else _Field.LABEL_OPTIONAL
            if type_name in _MESSAGES:
                new_field.type, new_field.type_name = (
                    _Field.TYPE_MESSAGE,
                    f".{_PACKAGE}.{type_name}",
                )
            else:
                new_field.type = _Field.Type.Value(f"TYPE_{type_name.upper()}")
    # A separate pool: the default pool may already define the names, and rejects duplicates.
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))
        for name in _MESSAGES
    }


_message_classes = _classes()
SpriteMetadata = _message_classes["SpriteMetadata"]
EmbeddingInfo = _message_classes["EmbeddingInfo"]
ProjectorConfig = _message_classes["ProjectorConfig"]


def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes `projector_config.pbtxt`.

    Args:
      summary_writer: A `tf.compat.v1.summary.FileWriter`. The file is written to its folder.
      config: The `ProjectorConfig`.

    Raises:
      ValueError: The writer has no folder.
    """
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    with tf.io.gfile.GFile(os.path.join(folder, _FILE), "w") as file:
        file.write(text_format.MessageToString(config))


__getattr__ = _missing.attribute_of("tensorboard.plugins.projector")
