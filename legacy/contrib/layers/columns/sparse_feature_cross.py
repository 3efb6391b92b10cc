"""Hashed combinations of sparse features, compatible with contrib.layers.

ids = cross([words, places], num_buckets=1000)  # A SparseTensor: all pairs of each example.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = 956888297470

_SEED = 0xDECAFCAFFE
# The 64-bit golden ratio of boost::hash_combine, as a signed number.
_GOLDEN = 0x9E3779B97F4A7800 - (1 << 64)


def cross(
    features: Sequence[Any], num_buckets: int, hash_key: int | None = None
) -> tf.SparseTensor:
    """Hashes the combinations of feature values to ids.

    Args:
      features: SparseTensors or dense tensors of rank 2, of integers or strings.
      num_buckets: Number of ids.
      hash_key: Key of the hash function. None selects the older function of TensorFlow 1, which
        has no key.

    Returns:
      The ids of all combinations of each example's values, as int64.
    """
    sparse = [feature for feature in features if isinstance(feature, tf.SparseTensor)]
    dense = [feature for feature in features if not isinstance(feature, tf.SparseTensor)]
    # The hash depends on the order of the features. The original also puts sparse features first.
    sparse = [_as_known_type(feature) for feature in sparse]
    dense = [
        feature if feature.dtype == tf.string else tf.cast(feature, tf.int64) for feature in dense
    ]
    if hash_key is not None:
        return _cross(sparse, dense, num_buckets, hash_key)
    return _cross_without_key([*sparse, *(_sparse(feature) for feature in dense)], num_buckets)


def _as_known_type(feature: tf.SparseTensor) -> tf.SparseTensor:
    return feature if feature.dtype == tf.string else tf.cast(feature, tf.int64)


def _sparse(dense: tf.Tensor) -> tf.SparseTensor:
    shape = tf.shape(dense, out_type=tf.int64)
    indices = tf.where(tf.ones_like(dense, tf.bool))
    return tf.SparseTensor(indices, tf.reshape(dense, [-1]), shape)


def _cross(
    sparse: Sequence[tf.SparseTensor],
    dense: Sequence[tf.Tensor],
    num_buckets: int,
    hash_key: int,
    is_hashed: bool = True,
) -> tf.SparseTensor:
    strings = all(tensor.dtype == tf.string for tensor in (*sparse, *dense))
    crosses = tf.raw_ops.SparseCross(
        indices=[tensor.indices for tensor in sparse],
        values=[tensor.values for tensor in sparse],
        shapes=[tensor.dense_shape for tensor in sparse],
        dense_inputs=list(dense),
        hashed_output=is_hashed,
        num_buckets=num_buckets,
        hash_key=hash_key,
        out_type=tf.int64 if is_hashed else tf.string,
        internal_type=tf.string if strings else tf.int64,
    )
    return tf.SparseTensor(crosses.output_indices, crosses.output_values, crosses.output_shape)


def _cross_without_key(features: Sequence[tf.SparseTensor], num_buckets: int) -> tf.SparseTensor:
    """Combines the hashes of the values one by one, starting with a seed."""
    # SparseCross runs on the indices of the values, to learn which values each combination joins.
    places = [
        feature.with_values(tf.as_string(tf.range(tf.size(feature.values)))) for feature in features
    ]
    crosses = _cross(places, [], 0, 0, is_hashed=False)
    value_indices = tf.strings.to_number(
        tf.reshape(tf.strings.split(crosses.values, "_X_").flat_values, [-1, len(features)]),
        tf.int64,
    )
    hash_codes = tf.fill([tf.size(crosses.values)], tf.constant(_SEED, tf.int64))
    for i, feature in enumerate(features):
        hashes = tf.gather(_hash(feature.values), value_indices[:, i])
        # As boost::hash_combine, with the shifts 10 and 4 of TensorFlow 1.
        left_shift = tf.bitwise.left_shift(hash_codes, tf.constant(10, tf.int64))
        right_shift = tf.bitwise.right_shift(hash_codes, tf.constant(4, tf.int64))
        hash_codes = tf.bitwise.bitwise_xor(hash_codes, hashes + _GOLDEN + left_shift + right_shift)
    ids = tf.cast(hash_codes, tf.uint64) % tf.constant(num_buckets, tf.uint64)
    return crosses.with_values(tf.cast(ids, tf.int64))


def _hash(values: tf.Tensor) -> tf.Tensor:
    if values.dtype != tf.string:
        return values
    return tf.bitcast(tf.fingerprint(values[:, None]), tf.int64)
