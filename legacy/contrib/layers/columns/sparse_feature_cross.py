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
    sparse = [each for each in features if isinstance(each, tf.SparseTensor)]
    dense = [each for each in features if not isinstance(each, tf.SparseTensor)]
    # The hash depends on the order of the features. The original also puts sparse features first.
    sparse = [_as_known_type(each) for each in sparse]
    dense = [each if each.dtype == tf.string else tf.cast(each, tf.int64) for each in dense]
    if hash_key is not None:
        return _cross(sparse, dense, num_buckets, hash_key)
    return _cross_without_key([*sparse, *(_sparse(each) for each in dense)], num_buckets)


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
    hashed: bool = True,
) -> tf.SparseTensor:
    strings = all(each.dtype == tf.string for each in (*sparse, *dense))
    found = tf.raw_ops.SparseCross(
        indices=[each.indices for each in sparse],
        values=[each.values for each in sparse],
        shapes=[each.dense_shape for each in sparse],
        dense_inputs=list(dense),
        hashed_output=hashed,
        num_buckets=num_buckets,
        hash_key=hash_key,
        out_type=tf.int64 if hashed else tf.string,
        internal_type=tf.string if strings else tf.int64,
    )
    return tf.SparseTensor(found.output_indices, found.output_values, found.output_shape)


def _cross_without_key(features: Sequence[tf.SparseTensor], num_buckets: int) -> tf.SparseTensor:
    """Combines the hashes of the values one by one, starting with a seed."""
    # SparseCross runs on the indices of the values, to learn which values each combination joins.
    places = [each.with_values(tf.as_string(tf.range(tf.size(each.values)))) for each in features]
    crossed = _cross(places, [], 0, 0, hashed=False)
    chosen = tf.strings.to_number(
        tf.reshape(tf.strings.split(crossed.values, "_X_").flat_values, [-1, len(features)]),
        tf.int64,
    )
    combined = tf.fill([tf.size(crossed.values)], tf.constant(_SEED, tf.int64))
    for i, feature in enumerate(features):
        hashes = tf.gather(_hash(feature.values), chosen[:, i])
        # As boost::hash_combine, with the shifts 10 and 4 of TensorFlow 1.
        shifted = tf.bitwise.left_shift(combined, tf.constant(10, tf.int64))
        spread = tf.bitwise.right_shift(combined, tf.constant(4, tf.int64))
        combined = tf.bitwise.bitwise_xor(combined, hashes + _GOLDEN + shifted + spread)
    ids = tf.cast(combined, tf.uint64) % tf.constant(num_buckets, tf.uint64)
    return crossed.with_values(tf.cast(ids, tf.int64))


def _hash(values: tf.Tensor) -> tf.Tensor:
    if values.dtype != tf.string:
        return values
    return tf.bitcast(tf.fingerprint(values[:, None]), tf.int64)
