"""Embeddings of id sequences, from tf.contrib.layers.

vectors = embed_sequence(ids, vocab_size=10000, embed_dim=64)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.framework import variables
from legacy.contrib.layers.columns import embedding_ops

tf1 = tf.compat.v1


def embed_sequence(
    ids: Any,
    vocab_size: int | None = None,
    embed_dim: int | None = None,
    unique: bool = False,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: bool | None = None,
) -> tf.Tensor:
    """Looks up the vector of each id in the variable "embeddings".

    Args:
      ids: Ids, of shape [batch, length].
      vocab_size: Number of ids.
      embed_dim: Size of each vector.
      unique: If true, looks up each distinct id only once.
      initializer: Initializer of the embeddings.
      regularizer: Regularizer of the embeddings.
      trainable: If true, the embeddings are trainable.
      scope: Variable scope. The default is "EmbedSequence", made unique.
      reuse: If true, an existing variable is reused, and the sizes may be None.

    Returns:
      A tensor of shape [batch, length, embed_dim].

    Raises:
      ValueError: A size is missing.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            "Must specify vocab size and embedding dimension when not reusing. Got "
            f"vocab_size={vocab_size} and embed_dim={embed_dim}"
        )
    with tf1.variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        has_shape = embed_dim is not None and not (reuse and vocab_size is None)
        embeddings = variables.model_variable(
            "embeddings",
            shape=[vocab_size, embed_dim] if has_shape else None,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        if unique:
            return embedding_ops.embedding_lookup_unique(embeddings, ids)
        return tf1.nn.embedding_lookup(embeddings, ids)


def bow_encoder(
    ids: Any,
    vocab_size: int,
    embed_dim: int,
    sparse_lookup: bool = True,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: bool | None = None,
) -> tf.Tensor:
    """Returns the mean vector of each sequence of ids.

    Args:
      ids: Ids, of shape [batch, length]: a tensor or a SparseTensor.
      vocab_size: Number of ids.
      embed_dim: Size of each vector.
      sparse_lookup: If true, ignores zeros in a dense tensor of ids.
      initializer: Initializer of the embeddings.
      regularizer: Regularizer of the embeddings.
      trainable: If true, the embeddings are trainable.
      scope: Variable scope. The default is "bow_encoder", made unique.
      reuse: If true, an existing variable is reused.

    Returns:
      A tensor of shape [batch, embed_dim].

    Raises:
      ValueError: A size is missing.
      TypeError: The ids are sparse, and `sparse_lookup` is false.
    """
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with tf1.variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = variables.model_variable(
            "embeddings",
            shape=[vocab_size, embed_dim],
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
        )
        is_sparse = isinstance(ids, tf.SparseTensor)
        if sparse_lookup:
            return embedding_ops.safe_embedding_lookup_sparse(
                embeddings,
                ids if is_sparse else embedding_ops.dense_to_sparse_tensor(ids),
                combiner="mean",
                default_id=0,
            )
        if is_sparse:
            raise TypeError(f"ids are expected to be dense Tensor, got: {ids}")
        return tf.reduce_mean(tf1.nn.embedding_lookup(embeddings, ids), axis=1)
