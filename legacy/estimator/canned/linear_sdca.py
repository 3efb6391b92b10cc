"""LinearSDCA, an optimizer for linear models that uses stochastic dual coordinate ascent.

    from legacy import estimator

    optimizer = estimator.experimental.LinearSDCA("example_id", symmetric_l2_regularization=2.0)
    classifier = estimator.LinearClassifier(feature_columns, optimizer=optimizer)

It has no learning rate. It needs the name of a feature that identifies each example by a string.
The linear estimators call `check_classifier` or `check_regressor` in their constructors, and
`linear_sdca_model_fn` instead of their own model_fn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator import heads
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned import layer_summaries
from legacy.estimator.canned.sdca import DenseFeature, SdcaModel, SparseFeature
from legacy.estimator.canned.v2.linear_model import LinearModel
from legacy.estimator.heads import v1 as v1_heads
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1


class LinearSDCA:
    """Optimizer for `LinearClassifier` (with two classes) and `LinearRegressor`.

    Args:
      example_id_column: Name of the feature that identifies examples: strings, [batch].
      num_loss_partitions: Number of workers that train at the same time. A smaller number may
        prevent convergence.
      num_table_shards: Number of hash tables for the states of the examples. None means one table.
        Use more for many examples and several parameter servers.
      symmetric_l1_regularization: Strength of the L1 regularization.
      symmetric_l2_regularization: Strength of the L2 regularization, above zero.
      adaptive: If true, examples with larger errors are sampled more often.
    """

    def __init__(
        self,
        example_id_column: str,
        num_loss_partitions: int = 1,
        num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0,
        symmetric_l2_regularization: float = 1.0,
        adaptive: bool = False,
    ) -> None:
        self._example_id_column = example_id_column
        self._options = {
            "num_loss_partitions": num_loss_partitions,
            "num_table_shards": num_table_shards,
            "l1": symmetric_l1_regularization,
            "l2": symmetric_l2_regularization,
            "adaptive": adaptive,
        }

    def get_train_step(
        self,
        state_manager: Any,
        weight_column_name: str | None,
        loss_type: str,
        feature_columns: Sequence[Any],
        features: dict[str, Any],
        targets: tf.Tensor,
        bias_var: Any,
        global_step: Any,
    ) -> tuple[SdcaModel, tf.Operation]:
        """Builds a training step.

        Args:
          state_manager: Manager of the columns' variables, named "weights".
          weight_column_name: Name of the feature with the weights of examples, or None.
          loss_type: "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or
            "poisson_loss".
          feature_columns: v2 feature columns, categorical or dense.
          features: Dict of features by name, including the ids of the examples.
          targets: Labels, [batch] or [batch, 1].
          bias_var: Variable of the bias, of shape [1].
          global_step: Variable that the step increments.

        Returns:
          The model, whose `update_weights` writes the variables, and the operation of a step.

        Raises:
          ValueError: If a column is of another kind, or has more than one dimension.
          KeyError: If a feature is missing.
        """
        batch_size = tf.shape(targets)[0]
        cache = tf.__internal__.feature_column.FeatureTransformationCache(features)
        dense, sparse = [], []
        for column in columns_lib.by_name(feature_columns):
            if columns_lib.is_categorical(column):
                pair = column.get_sparse_tensors(cache, state_manager)
                sparse.append(sparse_feature(*pair, state_manager.get_variable(column, "weights")))
            else:
                _check_dense(column)
                values = column.get_dense_tensor(cache, state_manager)
                dense.append(DenseFeature(values, state_manager.get_variable(column, "weights")))
        dense.append(DenseFeature(tf.ones([batch_size, 1]), bias_var))
        model = SdcaModel(
            dense,
            sparse,
            features[self._example_id_column],
            tf.cast(tf.reshape(targets, [-1]), tf.float32),
            example_weights(features, weight_column_name, batch_size),
            loss_type=loss_type,
            **self._options,
        )
        return model, model.minimize(global_step)


def _check_dense(column: Any) -> None:
    kind = type(column).__name__
    if not isinstance(column, columns_lib.DenseColumn):
        raise ValueError(f"LinearSDCA does not support column type {kind}. Given: {column}")
    rank = column.variable_shape.ndims
    if rank != 1:
        raise ValueError(f"Column {kind} has rank {rank}, larger than 1. Given: {column}")


def sparse_feature(
    ids: tf.SparseTensor, counts: tf.SparseTensor | None, weights: Any
) -> SparseFeature:
    """Sums up repeated ids within each example, and drops negative ids.

    Args:
      ids: Ids, of shape [batch, ...].
      counts: Weights of the ids, of the same shape. None means 1 for each id.
      weights: Variable of the column, [buckets, 1].
    """
    flat = tf.cast(tf.reshape(ids.values, [-1]), tf.int64)
    counts = tf.ones(tf.shape(flat)) if counts is None else counts.values
    valid = flat >= 0  # Values that are not in the vocabulary have the id -1.
    flat = tf.boolean_mask(flat, valid)
    examples = tf.boolean_mask(ids.indices[:, 0], valid)
    # A pair (example, id) is encoded as a single number, because tf.unique takes a vector.
    size = tf.reduce_max(flat) + 1
    pairs, positions = tf.unique(examples * size + flat)
    counts = tf.math.unsorted_segment_sum(tf.boolean_mask(counts, valid), positions, tf.size(pairs))
    return SparseFeature(pairs // size, pairs % size, counts, weights)


def example_weights(
    features: Mapping[Any, Any], name: str | None, batch_size: tf.Tensor
) -> tf.Tensor:
    """Returns the weights of the examples, of shape [batch].

    Args:
      features: Dict of features by name.
      name: Name of the feature with the weights. None means 1 for each example.
      batch_size: Number of examples.
    """
    return tf.reshape(features[name], [-1]) if name else tf.ones([batch_size])


def check_classifier(
    feature_columns: Sequence[Any], n_classes: int, optimizer: Any, sparse_combiner: str
) -> None:
    """Checks that LinearSDCA can train a classifier. Accepts any other optimizer.

    Args:
      feature_columns: Feature columns of the classifier.
      n_classes: Number of classes.
      optimizer: Optimizer of the classifier.
      sparse_combiner: Combiner of the classifier.

    Raises:
      ValueError: If the optimizer is a LinearSDCA and cannot train the classifier.
    """
    if isinstance(optimizer, LinearSDCA):
        _check_columns(feature_columns, sparse_combiner)
        if n_classes > 2:
            raise ValueError(
                f"LinearSDCA cannot be used in a multi-class setting. Given: n_classes={n_classes}"
            )


def check_regressor(
    feature_columns: Sequence[Any], label_dimension: int, optimizer: Any, sparse_combiner: str
) -> None:
    """Checks that LinearSDCA can train a regressor. Accepts any other optimizer.

    Args:
      feature_columns: Feature columns of the regressor.
      label_dimension: Number of values per label.
      optimizer: Optimizer of the regressor.
      sparse_combiner: Combiner of the regressor.

    Raises:
      ValueError: If the optimizer is a LinearSDCA and cannot train the regressor.
    """
    if isinstance(optimizer, LinearSDCA):
        _check_columns(feature_columns, sparse_combiner)
        if label_dimension > 1:
            raise ValueError(
                "LinearSDCA can only be used with one-dimensional label. "
                f"Given: label_dimension={label_dimension}"
            )


def _check_columns(feature_columns: Sequence[Any], sparse_combiner: str) -> None:
    if sparse_combiner != "sum":
        raise ValueError(
            'sparse_combiner must be "sum" when optimizer is a LinearSDCA object. '
            f"Given: {sparse_combiner!r}"
        )
    if not columns_lib.all_v2(feature_columns):
        raise ValueError("V2 feature columns required when optimizer is a LinearSDCA object.")


class UpdateWeightsHook(tf1.train.SessionRunHook):
    """Writes the weights of the model after each step. Runs on the chief only.

    Args:
      model: The model.
      train_op: Operation of a training step.
    """

    def __init__(self, model: SdcaModel, train_op: Any) -> None:
        self._model = model
        self._train_op = train_op

    def begin(self) -> None:
        """Builds the update operation before the graph is finalized."""
        self._update_op = self._model.update_weights(self._train_op)

    def before_run(self, run_context: Any) -> Any:
        """Runs the update operation together with the training step."""
        return tf1.train.SessionRunArgs(self._update_op)


def linear_sdca_model_fn(
    features: dict[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    feature_columns: Sequence[Any],
    optimizer: LinearSDCA,
) -> EstimatorSpec:
    """Builds the model of a linear estimator with a LinearSDCA.

    Args:
      features: Dict of tensors or sparse tensors by name. The first dimension is the batch.
      labels: Labels in the form that the head expects. None in mode PREDICT.
      mode: One of `ModeKeys`.
      head: Head of a binary classifier or a regressor, of either API. For a v1 head, the caller
        enters the variable scope "linear".
      feature_columns: v2 feature columns.
      optimizer: The LinearSDCA.

    Returns:
      The EstimatorSpec of the head.

    Raises:
      ValueError: If the head is of another kind, or if a column is not supported.
    """
    is_v2 = isinstance(head, heads.Head)
    name = "linear/linear_model" if is_v2 else "linear_model"
    model = LinearModel(feature_columns, units=1, sparse_combiner="sum", name=name)
    loss_type = _loss_type(head)
    logits = model(features)
    layer_summaries.add_linear(model.bias, model.layer.partitioned_weights, units=1)
    if mode != ModeKeys.TRAIN:
        return head.create_estimator_spec(
            features=features, mode=mode, labels=labels, logits=logits
        )
    weight_column = head._weight_column
    sdca_model, train_op = optimizer.get_train_step(
        model.layer.state_manager,
        getattr(weight_column, "key", weight_column),
        loss_type,
        feature_columns,
        features,
        labels,
        model.bias,
        tf1.train.get_global_step(),
    )
    spec = head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        train_op_fn=lambda loss: train_op,
        logits=logits,
    )
    # The hook updates the weights after the loss is computed, so that the loss is that of the
    # weights before the step.
    hook = UpdateWeightsHook(sdca_model, tf.group(spec.loss, train_op))
    return spec._replace(training_chief_hooks=(*spec.training_chief_hooks, hook))


def _loss_type(head: Any) -> str:
    if isinstance(head, (heads.BinaryClassHead, v1_heads.BinaryClassHead)):
        return "logistic_loss"
    is_regression = isinstance(head, (heads.RegressionHead, v1_heads.RegressionHead))
    if is_regression and head.logits_dimension == 1:
        return "squared_loss"
    raise ValueError(
        f"Unsupported head type: {head}. LinearSDCA trains heads of two classes and of a "
        "regression in one dimension."
    )
