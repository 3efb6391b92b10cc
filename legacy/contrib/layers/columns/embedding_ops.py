"""Looking up rows of embeddings: tf.contrib.layers's.

vectors = safe_embedding_lookup_sparse([table], sparse_ids, combiner="mean")
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def parts_of(params: Any) -> list[Any]:
    """Returns the parts of a variable, of which there may be one."""
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
    """Combines the rows that ids name; no ids give zeros, and ids below zero are left out.

    Args:
      embedding_weights: A table, or its parts in a list.
      sparse_ids: Ids, of rank 2 or more; the last dimension is combined.
      sparse_weights: Weights of the ids; what is not above zero is left out, unless summed.
      combiner: "sum", "mean" (None, too) or "sqrtn".
      default_id: The row where there are no ids; None is zeros.
      name: The name of the operations.
      partition_strategy: How ids are divided among parts: "div" or "mod".
      max_norm: The largest norm of a row.

    Returns:
      A tensor of shape [..., size of a row].

    Raises:
      ValueError: There is no table, or weights have another type.
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
    """Looks up each id once, however often it is there.

    Args:
      params: A table, or its parts in a list.
      ids: Ids, of any shape.
      partition_strategy: How ids are divided among parts: "div" or "mod".
      name: The name of the operations.

    Returns:
      A tensor of shape [*ids.shape, size of a row].
    """
    with tf1.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = tf.convert_to_tensor(ids)
        unique, places = tf.unique(tf.reshape(ids, [-1]))
        rows = tf1.nn.embedding_lookup(params, unique, partition_strategy)
        shape = tf.concat([tf.shape(ids), tf.shape(rows)[1:]], 0)
        found = tf.reshape(tf.gather(rows, places), shape)
        found.set_shape(ids.shape.concatenate(rows.shape[1:]))
        return found


def dense_to_sparse_tensor(dense_tensor: Any, ignore_value: Any = None) -> tf.SparseTensor:
    """Makes a SparseTensor of what is not a certain value.

    Args:
      dense_tensor: A tensor of known rank.
      ignore_value: The value to leave out; None is "", or zero.

    Returns:
      The SparseTensor.
    """
    with tf1.name_scope("DenseToSparseTensor"):
        dense_tensor = tf.convert_to_tensor(dense_tensor)
        if ignore_value is None:
            ignore_value = "" if dense_tensor.dtype == tf.string else 0
        chosen = tf.not_equal(dense_tensor, tf.constant(ignore_value, dense_tensor.dtype))
        indices = tf.where(chosen)
        shape = tf.shape(dense_tensor, out_type=tf.int64)
        return tf.SparseTensor(indices, tf.gather_nd(dense_tensor, indices), shape)
