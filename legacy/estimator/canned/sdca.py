"""State and operations of stochastic dual coordinate ascent for a linear model.

`LinearSDCA.get_train_step`, in `canned.linear_sdca`, creates a model like this:

    model = SdcaModel(dense, sparse, example_ids, labels, weights, loss_type="logistic_loss")
    train_op = model.minimize(tf.compat.v1.train.get_global_step())
    update_op = model.update_weights(train_op)

Each example has a dual variable, which is stored in a hash table under the id of the example. The
solver updates "unshrunk" copies of the weights. `update_weights` applies the L1 regularization and
writes the result to the weights. Checkpoints contain the dual variables, the copies and the
weights, under the original names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

tf1 = tf.compat.v1

LOSSES = ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")

_TABLE = "ShardedMutableHashTable"
# Positions of the numbers in the table that are summed over examples. Position 0 holds the dual
# variable.
_PRIMAL_LOSS, _DUAL_LOSS, _EXAMPLE_WEIGHT = 1, 2, 3


class DenseFeature(NamedTuple):
    """A dense column in a batch.

    Attributes:
      values: float32, [batch, values].
      weights: Variable of the column, [values] or [values, 1], possibly partitioned.
    """

    values: tf.Tensor
    weights: Any


class SparseFeature(NamedTuple):
    """A categorical column in a batch, with each id at most once per example.

    Attributes:
      example_indices: int64, [ids]. Index of the example of each id, in ascending order.
      ids: int64, [ids].
      values: float32, [ids]. Weight of each id.
      weights: Variable of the column, [buckets, 1], possibly partitioned.
    """

    example_indices: tf.Tensor
    ids: tf.Tensor
    values: tf.Tensor
    weights: Any


class ExampleStates:
    """Four numbers per example, in hash tables that are saved with the variables.

    Args:
      num_shards: Number of tables. They are distributed over the parameter servers in turn.
    """

    def __init__(self, num_shards: int) -> None:
        # The first number of a fingerprint is never 0 or 1, so that these keys are free.
        self._shards = [
            tf.lookup.experimental.DenseHashTable(
                key_dtype=tf.int64,
                value_dtype=tf.float32,
                default_value=[0.0, 0.0, 0.0, 0.0],
                empty_key=[0, 0],
                deleted_key=[1, 1],
                name=f"{_TABLE}-{i + 1}-of-{num_shards}",
            )
            for i in range(num_shards)
        ]

    def size(self) -> tf.Tensor:
        """Returns the number of examples."""
        return tf.add_n([shard.size() for shard in self._shards])

    def sums(self) -> tf.Tensor:
        """Returns the sums of the four numbers over all examples, as float64."""
        values = [shard.export()[1] for shard in self._shards]
        return tf.add_n([tf.reduce_sum(tf.cast(value, tf.float64), 0) for value in values])

    def lookup(self, keys: tf.Tensor) -> tf.Tensor:
        """Returns the numbers of examples, [examples, 4]. New examples have zeros.

        Args:
          keys: Fingerprints, [examples, 2].
        """
        shards, count = self._shards_of(keys), len(self._shards)
        rows = [
            shard.lookup(part)
            for shard, part in zip(
                self._shards, tf.dynamic_partition(keys, shards, count), strict=True
            )
        ]
        positions = tf.dynamic_partition(tf.range(tf.shape(keys)[0]), shards, count)
        return tf.dynamic_stitch(positions, rows)

    def insert(self, keys: tf.Tensor, values: tf.Tensor) -> tf.Operation:
        """Returns the operation that writes the numbers of examples.

        Args:
          keys: Fingerprints, [examples, 2].
          values: Numbers, [examples, 4].
        """
        shards, count = self._shards_of(keys), len(self._shards)
        parts = zip(
            self._shards,
            tf.dynamic_partition(keys, shards, count),
            tf.dynamic_partition(values, shards, count),
            strict=True,
        )
        return tf.group(*[shard.insert(shard_ids, numbers) for shard, shard_ids, numbers in parts])

    def _shards_of(self, keys: tf.Tensor) -> tf.Tensor:
        return tf.cast(tf.math.floormod(tf.abs(keys[:, 0]), len(self._shards)), tf.int32)


class SdcaModel:
    """A linear model in the default graph that is trained with dual coordinate ascent.

    Args:
      dense: Dense columns of a batch. The bias is a column of ones.
      sparse: Categorical columns of the batch.
      example_ids: Strings, [batch], that identify the examples.
      labels: float32, [batch].
      example_weights: float32, [batch].
      loss_type: One of `LOSSES`.
      l1: Strength of the L1 regularization.
      l2: Strength of the L2 regularization, above zero.
      num_loss_partitions: Number of workers that train at the same time.
      num_table_shards: Number of hash tables for the states of the examples. None means one table.
      adaptive: If true, examples with larger errors are sampled more often.

    Raises:
      ValueError: If the loss is unknown, or if a regularization is out of range.
    """

    SLOT_SUFFIX = "_unshrunk"

    def __init__(
        self,
        dense: Sequence[DenseFeature],
        sparse: Sequence[SparseFeature],
        example_ids: tf.Tensor,
        labels: tf.Tensor,
        example_weights: tf.Tensor,
        *,
        loss_type: str,
        l1: float = 0.0,
        l2: float = 1.0,
        num_loss_partitions: int = 1,
        num_table_shards: int | None = None,
        adaptive: bool = True,
    ) -> None:
        _check_options(loss_type, l1, l2)
        self._dense, self._sparse = list(dense), list(sparse)
        self._example_ids = example_ids
        self._labels, self._example_weights = labels, example_weights
        self._l1, self._l2 = l1, l2
        self._solver_options = {
            "loss_type": loss_type,
            "l1": l1,
            "l2": l2,
            "num_loss_partitions": num_loss_partitions,
            "num_inner_iterations": 1,
            "adaptive": adaptive,
        }
        self._sparse_slots = [self._unshrunk(feature.weights) for feature in self._sparse]
        self._dense_slots = [self._unshrunk(feature.weights) for feature in self._dense]
        self._states = ExampleStates(num_table_shards or 1)
        tf1.summary.scalar("approximate_duality_gap", self.approximate_duality_gap())
        tf1.summary.scalar("examples_seen", self._states.size())

    def _unshrunk(self, variable: Any) -> list[Any]:
        slots = []
        for part in _parts(variable):
            # On the same parameter server as the weights.
            with tf1.device(part.device):
                zeros, name = tf.zeros(part.shape, tf.float32), part.op.name + self.SLOT_SUFFIX
                slots.append(tf1.Variable(zeros, trainable=False, name=name))
        return slots

    def minimize(self, global_step: Any = None) -> tf.Operation:
        """Returns the operation that processes the batch once.

        Args:
          global_step: Variable to increment, or None.
        """
        keys = tf.raw_ops.SdcaFprint(input=self._example_ids)
        ids = [tf.unique(feature.ids)[0] for feature in self._sparse]
        states, sparse_moves, dense_moves = tf.raw_ops.SdcaOptimizerV2(
            sparse_example_indices=[feature.example_indices for feature in self._sparse],
            sparse_feature_indices=[feature.ids for feature in self._sparse],
            sparse_feature_values=[feature.values for feature in self._sparse],
            dense_features=[feature.values for feature in self._dense],
            example_weights=self._example_weights,
            example_labels=self._labels,
            sparse_indices=ids,
            sparse_weights=[
                # "div" because each part holds contiguous rows, as `_add_rows` assumes.
                tf1.nn.embedding_lookup(slots, column_ids, partition_strategy="div")
                for slots, column_ids in zip(self._sparse_slots, ids, strict=True)
            ],
            dense_weights=[_join_slots(slots) for slots in self._dense_slots],
            example_state_data=self._states.lookup(keys),
            **self._solver_options,
        )
        # Update the slots only after the solver has read them.
        with tf.control_dependencies([states]):
            updates = [self._states.insert(keys, states)]
            for slots, slot_ids, moves in zip(self._sparse_slots, ids, sparse_moves, strict=True):
                updates += _add_rows(slots, slot_ids, moves)
            for slots, moves in zip(self._dense_slots, dense_moves, strict=True):
                updates += _add(slots, moves)
        if global_step is None:
            return tf.group(*updates)
        with tf.control_dependencies(updates):
            return tf1.assign_add(global_step, 1).op

    def update_weights(self, train_op: Any) -> tf.Operation:
        """Returns the operation that writes the weights, shrunk by the L1 regularization.

        Args:
          train_op: Operation from `minimize`. It runs first.
        """
        threshold = self._l1 / self._l2
        with tf.control_dependencies([train_op]):
            updates = []
            for weight, slot in self._weights_and_slots():
                value = slot.read_value()
                if threshold > 0:  # Soft thresholding, the proximal operator of the L1 norm.
                    value = tf.sign(value) * tf.maximum(0.0, tf.abs(value) - threshold)
                updates.append(weight.assign(value))
        return tf.group(*updates)

    def approximate_duality_gap(self) -> tf.Tensor:
        """Returns the approximate distance of the loss from its minimum, per example weight.

        The result is a float64 scalar. It is NaN until the first example.
        """
        sums = self._states.sums()
        l1 = self._l1 * self._sum_of_weights(tf.abs)
        twice_l2 = self._l2 * self._sum_of_weights(tf.square)
        return (sums[_PRIMAL_LOSS] + sums[_DUAL_LOSS] + l1 + twice_l2) / sums[_EXAMPLE_WEIGHT]

    def _sum_of_weights(self, function: Callable[[tf.Tensor], tf.Tensor]) -> tf.Tensor:
        weights = [tf.cast(weight, tf.float64) for weight, _ in self._weights_and_slots()]
        return tf.add_n([tf.reduce_sum(function(weight)) for weight in weights])

    def _weights_and_slots(self) -> list[tuple[Any, Any]]:
        features = [*self._sparse, *self._dense]
        all_slots = [*self._sparse_slots, *self._dense_slots]
        return [
            pair
            for feature, slots in zip(features, all_slots, strict=True)
            for pair in zip(_parts(feature.weights), slots, strict=True)
        ]


def _check_options(loss_type: str, l1: float, l2: float) -> None:
    if loss_type not in LOSSES:
        raise ValueError(f"Unsupported loss_type: {loss_type!r}. It is one of {LOSSES}.")
    if l2 <= 0:
        raise ValueError(f"symmetric_l2_regularization should be positive. Given: {l2}")
    if l1 < 0:
        raise ValueError(f"symmetric_l1_regularization should be non-negative. Given: {l1}")
    if l2 <= 1:
        tf1.logging.warning(
            "symmetric_l2_regularization=%s: SDCA should have more of it than other optimizers, "
            "about as much as the mean L2 norm of the examples.",
            l2,
        )


def _parts(variable: Any) -> list[Any]:
    """Returns the parts of a partitioned variable. A plain variable is its only part."""
    return [variable] if isinstance(variable, tf.Variable) else list(variable)


def _join_slots(slots: Sequence[Any]) -> tf.Tensor:
    return tf.concat([slot.read_value() for slot in slots], axis=0)


def _add_rows(slots: Sequence[Any], rows: tf.Tensor, moves: tf.Tensor) -> list[Any]:
    """Returns the operations that add to some rows of a partitioned variable."""
    if len(slots) == 1:
        return [tf1.scatter_add(slots[0], rows, moves)]
    updates, start = [], 0
    for slot in slots:
        end = start + slot.shape.as_list()[0]
        inside = (rows >= start) & (rows < end)
        slot_rows = tf.boolean_mask(rows, inside) - start
        updates.append(tf1.scatter_add(slot, slot_rows, tf.boolean_mask(moves, inside)))
        start = end
    return updates


def _add(slots: Sequence[Any], moves: tf.Tensor) -> list[Any]:
    """Returns the operations that add to all rows of a partitioned variable."""
    parts = tf.split(moves, [slot.shape.as_list()[0] for slot in slots])
    return [tf1.assign_add(slot, part) for slot, part in zip(slots, parts, strict=True)]
