"""Feeds a graph: placeholders for the parts of a batch, and their values."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from tensorflow.core.protobuf import rewriter_config_pb2

from migrate import batches

tf1 = tf.compat.v1


def feed_value(value: Any) -> Any:
    """Returns a part of a batch as a session takes it."""
    if isinstance(value, batches.Sparse):
        return tf1.SparseTensorValue(value.indices, value.values, value.dense_shape)
    return value


def placeholder(spec: Any) -> Any:
    """Returns a placeholder for a tf.TypeSpec, and None for None."""
    if spec is None:
        return None
    if isinstance(spec, tf.SparseTensorSpec):
        return tf1.sparse_placeholder(spec.dtype, spec.shape)
    return tf1.placeholder(spec.dtype, spec.shape)


def session_config() -> Any:
    """Returns a session's config without the graph optimizer.

    The optimizer costs a second for each new fetch, and fuses operations.
    """
    config = tf1.ConfigProto()
    rewrites = rewriter_config_pb2.RewriterConfig(disable_meta_optimizer=True)
    config.graph_options.rewrite_options.CopyFrom(rewrites)
    config.graph_options.optimizer_options.opt_level = -1
    return config
