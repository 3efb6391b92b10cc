"""LinearSDCA: an optimizer for linear models alone, by stochastic dual coordinate ascent.

    from legacy import estimator

    optimizer = estimator.experimental.LinearSDCA("example_id", symmetric_l2_regularization=2.0)
    classifier = estimator.LinearClassifier(feature_columns, optimizer=optimizer)

It needs no learning rate, and the name of a feature that tells examples apart: a string for each.
The linear estimators call `check_classifier` or `check_regressor` when they are made, and
`linear_sdca_model_fn` in place of their own model function.
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
    """What `LinearClassifier` (of two classes) and `LinearRegressor` take as an optimizer.

    Args:
      example_id_column: The name of the feature that tells examples apart: strings, [batch].
      num_loss_partitions: How many workers train at the same time; less may not converge.
      num_table_shards: In how many tables the examples' states are; None: one. More where there are
        many examples and several parameter servers.
      symmetric_l1_regularization: The L1 regularization.
      symmetric_l2_regularization: The L2 regularization, above zero.
      adaptive: Whether examples with larger errors are looked at more often.
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
          state_manager: Has each column's variable "weights".
          weight_column_name: The feature that weighs examples, or None.
          loss_type: "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or
            "poisson_loss".
          feature_columns: v2 feature columns, categorical or dense.
          features: By name, with the examples' ids.
          targets: Labels, [batch] or [batch, 1].
          bias_var: The bias, a variable of shape [1].
          global_step: A variable to count up.

        Returns:
          The model, whose `update_weights` writes the variables, and the operation of a step.

        Raises:
          ValueError: A column is of another kind, or has more than one dimension.
          KeyError: There is no such feature.
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
    """Puts together what an example has several times, and leaves out ids below zero.

    Args:
      ids: Of shape [batch, ...].
      counts: How much each counts, of the same shape; None: 1.
      weights: The column's variable, [buckets, 1].
    """
    flat = tf.cast(tf.reshape(ids.values, [-1]), tf.int64)
    counts = tf.ones(tf.shape(flat)) if counts is None else counts.values
    valid = flat >= 0  # What is in no vocabulary is -1.
    flat = tf.boolean_mask(flat, valid)
    examples = tf.boolean_mask(ids.indices[:, 0], valid)
    size = tf.reduce_max(flat) + 1
    pairs, positions = tf.unique(examples * size + flat)
    counts = tf.math.unsorted_segment_sum(tf.boolean_mask(counts, valid), positions, tf.size(pairs))
    return SparseFeature(pairs // size, pairs % size, counts, weights)


def example_weights(
    features: Mapping[Any, Any], name: str | None, batch_size: tf.Tensor
) -> tf.Tensor:
    """Returns the examples' weights, of shape [batch].

    Args:
      features: By name.
      name: The feature that weighs examples; None: each counts 1.
      batch_size: How many examples there are.
    """
    return tf.reshape(features[name], [-1]) if name else tf.ones([batch_size])


def check_classifier(
    feature_columns: Sequence[Any], n_classes: int, optimizer: Any, sparse_combiner: str
) -> None:
    """Checks that a classifier can be trained by its optimizer, if that is a LinearSDCA.

    Args:
      feature_columns: The classifier's.
      n_classes: The classifier's.
      optimizer: The classifier's; every other optimizer is well.
      sparse_combiner: The classifier's.

    Raises:
      ValueError: It cannot.
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
    """Checks that a regressor can be trained by its optimizer, if that is a LinearSDCA.

    Args:
      feature_columns: The regressor's.
      label_dimension: The regressor's.
      optimizer: The regressor's; every other optimizer is well.
      sparse_combiner: The regressor's.

    Raises:
      ValueError: It cannot.
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
    """Has the chief write the weights after each step.

    Args:
      model: The model.
      train_op: The operation of a step.
    """

    def __init__(self, model: SdcaModel, train_op: Any) -> None:
        self._model = model
        self._train_op = train_op

    def begin(self) -> None:
        """Builds the operation while the graph can still grow."""
        self._update_op = self._model.update_weights(self._train_op)

    def before_run(self, run_context: Any) -> Any:
        """Runs it with the step."""
        return tf1.train.SessionRunArgs(self._update_op)


def linear_sdca_model_fn(
    features: dict[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    feature_columns: Sequence[Any],
    optimizer: LinearSDCA,
) -> EstimatorSpec:
    """The model function of linear estimators with this optimizer.

    Args:
      features: By name, tensors or sparse tensors with the batch as their first dimension.
      labels: What the head takes; None to predict.
      mode: A `ModeKeys`.
      head: The head of two classes or of a regression, of either API. Those of v1 are called in
        the variable scope "linear".
      feature_columns: v2 feature columns.
      optimizer: The LinearSDCA.

    Returns:
      The head's `EstimatorSpec`.

    Raises:
      ValueError: The head is another one, or a column is unfit.
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
    # The loss of a step is that of the weights before it.
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
