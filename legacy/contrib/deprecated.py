"""tf.contrib.deprecated: summaries by tag, as they were before TensorFlow 1.0.

    deprecated.scalar_summary("loss", loss)
    summary = deprecated.merge_all_summaries()

A tag is written unchanged: without the prefix of a name scope, and without a number that makes it
unique.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1


def scalar_summary(
    tags: Any, values: Any, collections: Sequence[str] | None = None, name: str | None = None
) -> tf.Tensor:
    """Creates a summary of scalars.

    Args:
      tags: Tags, a string tensor.
      values: Numbers, of the same shape as `tags`.
      collections: Graph collections that the summary is added to. None is `GraphKeys.SUMMARIES`.
      name: Name of the operation.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "ScalarSummary", [tags, values]) as scope:
        summary = tf.raw_ops.ScalarSummary(tags=tags, values=values, name=scope)
    return _collect(summary, collections)


def histogram_summary(
    tag: Any, values: Any, collections: Sequence[str] | None = None, name: str | None = None
) -> tf.Tensor:
    """Creates a summary of the distribution of values.

    Args:
      tag: Tag of the summary.
      values: Numbers of any shape.
      collections: As in `scalar_summary`.
      name: As in `scalar_summary`.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "HistogramSummary", [tag, values]) as scope:
        summary = tf.raw_ops.HistogramSummary(tag=tag, values=values, name=scope)
    return _collect(summary, collections)


def image_summary(
    tag: Any,
    tensor: Any,
    max_images: int = 3,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """Creates a summary of images.

    Args:
      tag: Tag of the images. TensorFlow appends "/image" or "/image/NUMBER" to it.
      tensor: Images of shape [batch, height, width, channels].
      max_images: Maximum number of images to write.
      collections: As in `scalar_summary`.
      name: As in `scalar_summary`.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        summary = tf.raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_images, name=scope)
    return _collect(summary, collections)


def audio_summary(
    tag: Any,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """Creates a summary of audio clips.

    Args:
      tag: Tag of the clips. TensorFlow appends "/audio" or "/audio/NUMBER" to it.
      tensor: Samples, float32 of shape [batch, frames] or [batch, frames, channels].
      sample_rate: Sample rate in hertz.
      max_outputs: Maximum number of clips to write.
      collections: As in `scalar_summary`.
      name: As in `scalar_summary`.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        rate = tf.convert_to_tensor(sample_rate, tf.float32, name="sample_rate")
        summary = tf.raw_ops.AudioSummaryV2(
            tag=tag, tensor=tensor, sample_rate=rate, max_outputs=max_outputs, name=scope
        )
    return _collect(summary, collections)


def merge_summary(
    inputs: Sequence[Any], collections: Sequence[str] | None = None, name: str | None = None
) -> tf.Tensor:
    """Merges summaries into one.

    Args:
      inputs: Serialized summaries.
      collections: Graph collections that the merged summary is added to. None adds it to none.
      name: Name of the operation.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "MergeSummary", inputs):
        summary = tf.raw_ops.MergeSummary(inputs=inputs, name=name)
    return _collect(summary, collections or ())


def merge_all_summaries(key: str = tf1.GraphKeys.SUMMARIES) -> tf.Tensor | None:
    """Merges all summaries of a graph collection into one.

    Args:
      key: Name of the collection.

    Returns:
      A serialized `Summary`, a scalar string, or None if the collection is empty.
    """
    summaries = tf1.get_collection(key)
    return merge_summary(summaries) if summaries else None


def _collect(summary: tf.Tensor, collections: Sequence[str] | None) -> tf.Tensor:
    for key in [tf1.GraphKeys.SUMMARIES] if collections is None else collections:
        tf1.add_to_collection(key, summary)
    return summary


__getattr__ = _missing.attribute_of("deprecated")

__all__ = [
    "audio_summary",
    "histogram_summary",
    "image_summary",
    "merge_all_summaries",
    "merge_summary",
    "scalar_summary",
]
