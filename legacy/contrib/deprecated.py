"""tf.contrib.deprecated: summaries as they were before TensorFlow 1.0, by tag.

    deprecated.scalar_summary("loss", loss)
    summary = deprecated.merge_all_summaries()

A tag is written as it is given: no name scope is put before it, and no number behind it.
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
    """Makes a summary of numbers.

    Args:
      tags: Their tags, a string tensor.
      values: The numbers, of the same shape.
      collections: Collections of the graph that it is added to; None is that of all summaries.
      name: The operation's name.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "ScalarSummary", [tags, values]) as scope:
        made = tf.raw_ops.ScalarSummary(tags=tags, values=values, name=scope)
    return _collected(made, collections)


def histogram_summary(
    tag: Any, values: Any, collections: Sequence[str] | None = None, name: str | None = None
) -> tf.Tensor:
    """Makes a summary of how values are distributed.

    Args:
      tag: Its tag.
      values: Numbers of any shape.
      collections: As in `scalar_summary`.
      name: As in `scalar_summary`.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "HistogramSummary", [tag, values]) as scope:
        made = tf.raw_ops.HistogramSummary(tag=tag, values=values, name=scope)
    return _collected(made, collections)


def image_summary(
    tag: Any,
    tensor: Any,
    max_images: int = 3,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """Makes a summary of images.

    Args:
      tag: Their tag; "/image" or "/image/NUMBER" is put behind it.
      tensor: Images of shape [batch, height, width, channels].
      max_images: How many are taken.
      collections: As in `scalar_summary`.
      name: As in `scalar_summary`.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        made = tf.raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_images, name=scope)
    return _collected(made, collections)


def audio_summary(
    tag: Any,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """Makes a summary of sounds.

    Args:
      tag: Their tag; "/audio" or "/audio/NUMBER" is put behind it.
      tensor: float32 of shape [batch, frames] or [batch, frames, channels].
      sample_rate: In hertz.
      max_outputs: How many are taken.
      collections: As in `scalar_summary`.
      name: As in `scalar_summary`.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        rate = tf.convert_to_tensor(sample_rate, tf.float32, name="sample_rate")
        made = tf.raw_ops.AudioSummaryV2(
            tag=tag, tensor=tensor, sample_rate=rate, max_outputs=max_outputs, name=scope
        )
    return _collected(made, collections)


def merge_summary(
    inputs: Sequence[Any], collections: Sequence[str] | None = None, name: str | None = None
) -> tf.Tensor:
    """Makes one summary of several.

    Args:
      inputs: Serialized summaries.
      collections: Collections of the graph that it is added to; None is none.
      name: The operation's name.

    Returns:
      A serialized `Summary`, a scalar string.
    """
    with tf1.name_scope(name, "MergeSummary", inputs):
        made = tf.raw_ops.MergeSummary(inputs=inputs, name=name)
    return _collected(made, collections or ())


def merge_all_summaries(key: str = tf1.GraphKeys.SUMMARIES) -> tf.Tensor | None:
    """Makes one summary of all of a collection.

    Args:
      key: The collection.

    Returns:
      A serialized `Summary`, a scalar string; None where there are none.
    """
    summaries = tf1.get_collection(key)
    return merge_summary(summaries) if summaries else None


def _collected(summary: tf.Tensor, collections: Sequence[str] | None) -> tf.Tensor:
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
