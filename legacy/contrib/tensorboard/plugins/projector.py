"""Tells TensorBoard's projector which embeddings to show.

    config = ProjectorConfig()
    embedding = config.embeddings.add()
    embedding.tensor_name = variable.name
    embedding.metadata_path = "words.tsv"
    visualize_embeddings(tf.compat.v1.summary.FileWriter("/tmp/logs"), config)

These are plain classes that write what the protocol buffers of that name did, so TensorBoard need
not be installed where a job trains.
"""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

_FILE = "projector_config.pbtxt"


@dataclasses.dataclass
class SpriteMetadata:
    """One image that is made of all examples' images.

    Attributes:
      image_path: The image.
      single_image_dim: Width and height of one of them, in pixels.
    """

    image_path: str = ""
    single_image_dim: list[int] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class EmbeddingInfo:
    """One embedding.

    Attributes:
      tensor_name: The variable's name.
      metadata_path: A TSV file of labels.
      bookmarks_path: A JSON file of views.
      tensor_shape: The shape, where the file does not tell it.
      sprite: The examples' images.
      tensor_path: A TSV file of vectors, in place of a checkpoint.
    """

    tensor_name: str = ""
    metadata_path: str = ""
    bookmarks_path: str = ""
    tensor_shape: list[int] = dataclasses.field(default_factory=list)
    sprite: SpriteMetadata = dataclasses.field(default_factory=SpriteMetadata)
    tensor_path: str = ""


class _Embeddings(list):
    """A list that makes its items."""

    def add(self, **fields: Any) -> EmbeddingInfo:
        """Adds an embedding and returns it."""
        self.append(EmbeddingInfo(**fields))
        return self[-1]


@dataclasses.dataclass
class ProjectorConfig:
    """All embeddings of a folder.

    Attributes:
      model_checkpoint_path: The checkpoint; empty is the folder's latest.
      embeddings: The embeddings; `add()` makes one.
      model_checkpoint_dir: The checkpoint's folder.
    """

    model_checkpoint_path: str = ""
    embeddings: _Embeddings = dataclasses.field(default_factory=_Embeddings)
    model_checkpoint_dir: str = ""


def visualize_embeddings(summary_writer: Any, config: ProjectorConfig) -> None:
    """Writes `projector_config.pbtxt`.

    Args:
      summary_writer: A `tf.compat.v1.summary.FileWriter`, whose folder is taken.
      config: The configuration.

    Raises:
      ValueError: The writer has no folder.
    """
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    with tf.io.gfile.GFile(os.path.join(folder, _FILE), "w") as file:
        file.write("".join(f"{line}\n" for line in _lines(config)))


def _lines(message: Any, indent: str = "") -> list[str]:
    """Returns a message in the text format of protocol buffers; what is empty is left out."""
    lines = []
    for field in dataclasses.fields(message):
        value = getattr(message, field.name)
        for item in value if isinstance(value, list) else [value]:
            if dataclasses.is_dataclass(item):
                inner = _lines(item, indent + "  ")
                if inner or isinstance(value, list):
                    lines += [f"{indent}{field.name} {{", *inner, f"{indent}}}"]
            elif item or isinstance(value, list):
                lines.append(f"{indent}{field.name}: {json.dumps(item)}")
    return lines


__getattr__ = _missing.attribute_of("tensorboard.plugins.projector")
