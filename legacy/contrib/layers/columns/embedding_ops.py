"""Embedding lookups of tf.contrib.layers.

vectors = safe_embedding_lookup_sparse([table], sparse_ids, combiner="mean")
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def parts_of(params: Any) -> list[Any]:
    """Returns the list of a variable's parts. An unpartitioned variable is its only part."""
    if isinstance(params, (list, tuple)):
        return list(params)
    return list(params) if hasattr(params, "as_tensor") else [params]


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: tf.SparseTensor,
    sparse_weights: tf.SparseTensor | None = None,
    combiner: str | None = None,
    default_id: int | None = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: float | None = None,
) -> tf.Tensor:
    """Combines the rows of the ids of each example. Ignores negative ids.

    Args:
      embedding_weights: Embedding table, or the list of its parts.
      sparse_ids: Ids, of rank 2 or more. The last dimension is combined.
      sparse_weights: Weights of the ids. Ids whose weight is not positive are ignored, unless the
        combiner is "sum".
      combiner: Reduction over the ids of an example: "sum", "mean" or "sqrtn". The default is
        "mean".
      default_id: Id of the row for an example without ids. None means a row of zeros.
      name: Name prefix of the operations.
      partition_strategy: Assignment of ids to parts: "div" or "mod".
      max_norm: Largest L2 norm of a row. Longer rows are clipped.

    Returns:
      A tensor of shape [..., row size].

    Raises:
      ValueError: The table is missing, or the weights have the wrong type.
    """
    if combiner is None:
        tf1.logging.warning(
            'The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.'
        )
        combiner = "mean"
    if embedding_weights is None or not parts_of(embedding_weights):
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    return tf1.nn.safe_embedding_lookup_sparse(
        parts_of(embedding_weights),
        sparse_ids,
        sparse_weights,
        combiner=combiner,
        default_id=default_id,
        name=name or "embedding_lookup",
        partition_strategy=partition_strategy,
        max_norm=max_norm,
    )


def embedding_lookup_unique(
    params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None
) -> tf.Tensor:
    """Looks up the row of each id. Repeated ids cause only one lookup.

    Args:
      params: Embedding table, or the list of its parts.
      ids: Ids, of any shape.
      partition_strategy: Assignment of ids to parts: "div" or "mod".
      name: Name prefix of the operations.

    Returns:
      A tensor of shape [*ids.shape, row size].
    """
    with tf1.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = tf.convert_to_tensor(ids)
        unique, places = tf.unique(tf.reshape(ids, [-1]))
        rows = tf1.nn.embedding_lookup(params, unique, partition_strategy)
        shape = tf.concat([tf.shape(ids), tf.shape(rows)[1:]], 0)
        embeddings = tf.reshape(tf.gather(rows, places), shape)
        embeddings.set_shape(ids.shape.concatenate(rows.shape[1:]))
        return embeddings


def dense_to_sparse_tensor(dense_tensor: Any, ignore_value: Any = None) -> tf.SparseTensor:
    """Converts a dense tensor to a SparseTensor that omits one value.

    Args:
      dense_tensor: Dense tensor of known rank.
      ignore_value: Value to omit. The default is "" for strings and 0 for numbers.

    Returns:
      The SparseTensor.
    """
    with tf1.name_scope("DenseToSparseTensor"):
        dense_tensor = tf.convert_to_tensor(dense_tensor)
        if ignore_value is None:
            ignore_value = "" if dense_tensor.dtype == tf.string else 0
        mask = tf.not_equal(dense_tensor, tf.constant(ignore_value, dense_tensor.dtype))
        indices = tf.where(mask)
        shape = tf.shape(dense_tensor, out_type=tf.int64)
        return tf.SparseTensor(indices, tf.gather_nd(dense_tensor, indices), shape)
