"""Stochastic dual coordinate ascent for a linear model: its state and its operations.

`LinearSDCA.get_train_step`, in `canned.linear_sdca`, makes a model like this one:

    model = SdcaModel(dense, sparse, example_ids, labels, weights, loss_type="logistic_loss")
    train_op = model.minimize(tf.compat.v1.train.get_global_step())
    update_op = model.update_weights(train_op)

Each example has a dual variable, kept in a hash table by the example's id. The solver moves
"unshrunk" copies of the weights; `update_weights` applies the L1 regularization and writes them to
the weights themselves. Checkpoints have all three, under the names that the original gave them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

tf1 = tf.compat.v1

LOSSES = ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")

_TABLE = "ShardedMutableHashTable"
# Sums over examples that the table keeps, by position; the first one is the dual variable itself.
_PRIMAL_LOSS, _DUAL_LOSS, _EXAMPLE_WEIGHT = 1, 2, 3


class DenseFeature(NamedTuple):
    """A dense column in a batch.

    Attributes:
      values: float32, [batch, numbers].
      weights: The column's variable, [numbers] or [numbers, 1], perhaps partitioned.
    """

    values: tf.Tensor
    weights: Any


class SparseFeature(NamedTuple):
    """A categorical column in a batch: each id of each example once.

    Attributes:
      example_indices: int64, [ids]: which example an id belongs to; in order.
      ids: int64, [ids].
      values: float32, [ids]: how much each counts.
      weights: The column's variable, [buckets, 1], perhaps partitioned.
    """

    example_indices: tf.Tensor
    ids: tf.Tensor
    values: tf.Tensor
    weights: Any


class ExampleStates:
    """Four numbers for each example, in hash tables that are saved with the variables.

    Args:
      num_shards: How many tables there are; parameter servers take them in turn.
    """

    def __init__(self, num_shards: int) -> None:
        # Fingerprints are never 0 or 1 in their first number.
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
        """Returns how many examples there are."""
        return tf.add_n([shard.size() for shard in self._shards])

    def sums(self) -> tf.Tensor:
        """Returns the sums of the four numbers over all examples, float64."""
        values = [shard.export()[1] for shard in self._shards]
        return tf.add_n([tf.reduce_sum(tf.cast(each, tf.float64), 0) for each in values])

    def lookup(self, keys: tf.Tensor) -> tf.Tensor:
        """Returns the numbers of examples, [examples, 4]; zeros for new ones.

        Args:
          keys: Fingerprints, [examples, 2].
        """
        shards, count = self._shards_of(keys), len(self._shards)
        found = [
            shard.lookup(part)
            for shard, part in zip(
                self._shards, tf.dynamic_partition(keys, shards, count), strict=True
            )
        ]
        positions = tf.dynamic_partition(tf.range(tf.shape(keys)[0]), shards, count)
        return tf.dynamic_stitch(positions, found)

    def insert(self, keys: tf.Tensor, values: tf.Tensor) -> tf.Operation:
        """Returns the operation that writes the numbers of examples.

        Args:
          keys: Fingerprints, [examples, 2].
          values: [examples, 4].
        """
        shards, count = self._shards_of(keys), len(self._shards)
        parts = zip(
            self._shards,
            tf.dynamic_partition(keys, shards, count),
            tf.dynamic_partition(values, shards, count),
            strict=True,
        )
        return tf.group(*[shard.insert(some, numbers) for shard, some, numbers in parts])

    def _shards_of(self, keys: tf.Tensor) -> tf.Tensor:
        return tf.cast(tf.math.floormod(tf.abs(keys[:, 0]), len(self._shards)), tf.int32)


class SdcaModel:
    """A linear model that is trained in the default graph.

    Args:
      dense: The dense columns of a batch, with the bias as a column of ones.
      sparse: The categorical columns of the batch.
      example_ids: Strings, [batch], which tell examples apart.
      labels: float32, [batch].
      example_weights: float32, [batch].
      loss_type: One of `LOSSES`.
      l1: The L1 regularization.
      l2: The L2 regularization, above zero.
      num_loss_partitions: How many workers train at the same time.
      num_table_shards: In how many tables the examples' states are; None: one.
      adaptive: Whether examples with larger errors are looked at more often.

    Raises:
      ValueError: The loss is not known, or a regularization is out of range.
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
            with tf1.device(part.device):
                zeros, name = tf.zeros(part.shape, tf.float32), part.op.name + self.SLOT_SUFFIX
                slots.append(tf1.Variable(zeros, trainable=False, name=name))
        return slots

    def minimize(self, global_step: Any = None) -> tf.Operation:
        """Returns the operation that goes through the batch once.

        Args:
          global_step: A variable to count up, or None.
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
                tf1.nn.embedding_lookup(slots, some, partition_strategy="div")
                for slots, some in zip(self._sparse_slots, ids, strict=True)
            ],
            dense_weights=[_joined(slots) for slots in self._dense_slots],
            example_state_data=self._states.lookup(keys),
            **self._solver_options,
        )
        with tf.control_dependencies([states]):
            updates = [self._states.insert(keys, states)]
            for slots, some, moves in zip(self._sparse_slots, ids, sparse_moves, strict=True):
                updates += _add_rows(slots, some, moves)
            for slots, moves in zip(self._dense_slots, dense_moves, strict=True):
                updates += _add(slots, moves)
        if global_step is None:
            return tf.group(*updates)
        with tf.control_dependencies(updates):
            return tf1.assign_add(global_step, 1).op

    def update_weights(self, train_op: Any) -> tf.Operation:
        """Returns the operation that writes the weights, shrunk by the L1 regularization.

        Args:
          train_op: What `minimize` returned; it comes first.
        """
        threshold = self._l1 / self._l2
        with tf.control_dependencies([train_op]):
            updates = []
            for weight, slot in self._weights_and_slots():
                value = slot.read_value()
                if threshold > 0:
                    value = tf.sign(value) * tf.maximum(0.0, tf.abs(value) - threshold)
                updates.append(weight.assign(value))
        return tf.group(*updates)

    def approximate_duality_gap(self) -> tf.Tensor:
        """Returns how far the loss may be from its least value, per example weight; float64.

        It is not a number as long as no example was seen.
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
    """Returns the parts of a partitioned variable; a plain variable is its only part."""
    return [variable] if isinstance(variable, tf.Variable) else list(variable)


def _joined(slots: Sequence[Any]) -> tf.Tensor:
    return tf.concat([slot.read_value() for slot in slots], axis=0)


def _add_rows(slots: Sequence[Any], rows: tf.Tensor, moves: tf.Tensor) -> list[Any]:
    """Returns operations that add to rows of a variable in parts."""
    if len(slots) == 1:
        return [tf1.scatter_add(slots[0], rows, moves)]
    updates, start = [], 0
    for slot in slots:
        end = start + slot.shape.as_list()[0]
        inside = (rows >= start) & (rows < end)
        here = tf.boolean_mask(rows, inside) - start
        updates.append(tf1.scatter_add(slot, here, tf.boolean_mask(moves, inside)))
        start = end
    return updates


def _add(slots: Sequence[Any], moves: tf.Tensor) -> list[Any]:
    """Returns operations that add to all of a variable in parts."""
    parts = tf.split(moves, [slot.shape.as_list()[0] for slot in slots])
    return [tf1.assign_add(slot, part) for slot, part in zip(slots, parts, strict=True)]
