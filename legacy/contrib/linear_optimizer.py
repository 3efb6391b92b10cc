"""tf.contrib.linear_optimizer: linear models trained by stochastic dual coordinate ascent.

    optimizer = linear_optimizer.SDCAOptimizer("example_id", symmetric_l2_regularization=2.0)
    classifier = tf.contrib.learn.LinearClassifier(columns, optimizer=optimizer)

Its successor is `tf.estimator.experimental.LinearSDCA`, which uses the same solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.layers import feature_column
from legacy.estimator.canned import linear_sdca, sdca

tf1 = tf.compat.v1

_LEAST_L2 = 1.0  # Smaller values are raised to this one.


class _Model(sdca.SdcaModel):
    SLOT_SUFFIX = "_unshrinked/SDCAOptimizer"


class SDCAOptimizer:
    """An optimizer for linear models of contrib.learn.

    `LinearRegressor`, `SVM` and `LinearClassifier` with two classes accept it.

    Args:
      example_id_column: Name of the feature that identifies examples: strings of shape [batch].
      num_loss_partitions: Number of workers that train at the same time. With a smaller number,
        training may not converge.
      num_table_shards: Number of tables that hold the examples' states. None is 1.
      symmetric_l1_regularization: Strength of the L1 regularization.
      symmetric_l2_regularization: Strength of the L2 regularization. Values below 1.0 are raised to
        1.0.
      adaptive: If true, visits examples with larger errors more often.
      partitioner: Partitioner of the model's variables.
    """

    def __init__(
        self,
        example_id_column: str,
        num_loss_partitions: int = 1,
        num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0,
        symmetric_l2_regularization: float = 1.0,
        adaptive: bool = True,
        partitioner: Any = None,
    ) -> None:
        self.example_id_column = example_id_column
        self.num_loss_partitions = num_loss_partitions
        self.num_table_shards = num_table_shards
        self.symmetric_l1_regularization = symmetric_l1_regularization
        self.symmetric_l2_regularization = symmetric_l2_regularization
        self.adaptive = adaptive
        self.partitioner = partitioner

    def get_name(self) -> str:
        """Returns "SDCAOptimizer"."""
        return "SDCAOptimizer"

    def get_train_step(
        self,
        columns_to_variables: Mapping[Any, list[Any]],
        weight_column_name: str | None,
        loss_type: str,
        features: Mapping[Any, Any],
        targets: tf.Tensor,
        global_step: Any,
    ) -> tuple[sdca.SdcaModel, tf.Operation]:
        """Builds a training step.

        Args:
          columns_to_variables: Variables by column of contrib.layers. Each value is a list of the
            variable's partitions.
          weight_column_name: Name of the feature with the example weights, or None.
          loss_type: A member of `legacy.estimator.canned.sdca.LOSSES`.
          features: Features by name, including the example ids, and transformed features by column.
          targets: Labels of shape [batch] or [batch, 1].
          global_step: Variable to increment, or None.

        Returns:
          The model, whose `update_weights` writes the variables, and the operation of a training
          step.

        Raises:
          ValueError: A column is of an unsupported type, or a regularization is negative.
          KeyError: A required feature, such as the example ids, is missing.
        """
        dense, sparse = [], []
        for column in sorted(columns_to_variables, key=lambda column: column.key):
            weights = columns_to_variables[column]
            weights = weights[0] if len(weights) == 1 else weights
            if isinstance(column, feature_column._RealValuedColumn):
                values = features[column]
                values = tf.reshape(values, [tf.shape(values)[0], -1])
                dense.append(sdca.DenseFeature(values, weights))
            else:
                sparse.append(_sparse(column, features[column], weights))
        model = _Model(
            dense,
            sparse,
            features[self.example_id_column],
            tf.cast(tf.reshape(targets, [-1]), tf.float32),
            linear_sdca.example_weights(features, weight_column_name, tf.shape(targets)[0]),
            loss_type=loss_type,
            l1=self.symmetric_l1_regularization,
            l2=self._l2(),
            num_loss_partitions=self.num_loss_partitions,
            num_table_shards=self.num_table_shards,
            adaptive=self.adaptive,
        )
        return model, model.minimize(global_step)

    def _l2(self) -> float:
        strength = self.symmetric_l2_regularization
        if strength < 0:
            raise ValueError(
                f"symmetric_l2_regularization should be non-negative. Found {strength}"
            )
        return max(strength, _LEAST_L2)


def _sparse(column: Any, transformed: Any, weights: Any) -> sdca.SparseFeature:
    if not hasattr(column, "id_tensor"):
        raise ValueError(f"SDCAOptimizer does not support column type {type(column).__name__}.")
    ids, counts = column.id_tensor(transformed), column.weight_tensor(transformed)
    return linear_sdca.sparse_feature(ids, counts, weights)


__getattr__ = _missing.attribute_of("linear_optimizer")

__all__ = ["SDCAOptimizer"]
