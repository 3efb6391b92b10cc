"""Wide-and-deep models: a linear model and a deep network whose logits add up, in the v2 API.

    import tensorflow as tf
    from legacy import estimator

    word = tf.feature_column.categorical_column_with_hash_bucket("word", 10_000)
    classifier = estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=[word],
        dnn_feature_columns=[tf.feature_column.embedding_column(word, 16)],
        dnn_hidden_units=[64, 32],
    )
    classifier.train(input_fn, steps=1000)

Each side has its optimizer. Variables are those of `linear` and of `dnn`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import heads
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned import layer_summaries, optimizers
from legacy.estimator.canned.v2 import linear
from legacy.estimator.canned.v2.dnn_model import DNNModel
from legacy.estimator.estimator import EstimatorV2
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

DNN_LEARNING_RATE = 0.001
LINEAR_LEARNING_RATE = 0.005

_MEAN = tf_keras.losses.Reduction.SUM_OVER_BATCH_SIZE


def check_columns(linear_feature_columns: Any, dnn_feature_columns: Any) -> None:
    """Checks that at least one side has feature columns.

    Args:
      linear_feature_columns: Feature columns, or None.
      dnn_feature_columns: Feature columns, or None.

    Raises:
      ValueError: There are none.
    """
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")


def check_hidden_units(dnn_hidden_units: Any) -> None:
    """Checks that the deep side, where there is one, has hidden layers.

    Args:
      dnn_hidden_units: Their sizes.

    Raises:
      ValueError: There are none.
    """
    if not dnn_hidden_units:
        raise ValueError(
            "dnn_hidden_units must be defined when dnn_feature_columns is specified, as [64, 32]. "
            f"Given: {dnn_hidden_units}"
        )


def dnn_linear_combined_model_fn_v2(
    features: dict[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    linear_feature_columns: Sequence[Any] | None = None,
    linear_optimizer: Any = "Ftrl",
    dnn_feature_columns: Sequence[Any] | None = None,
    dnn_optimizer: Any = "Adagrad",
    dnn_hidden_units: Sequence[int] | None = None,
    dnn_activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
    dnn_dropout: float | None = None,
    config: RunConfig | None = None,
    batch_norm: bool = False,
    linear_sparse_combiner: str = "sum",
    loss_reduction: str = _MEAN,
) -> EstimatorSpec:
    """The model function of the classes below.

    Args:
      features: By name, tensors or sparse tensors with the batch as their first dimension.
      labels: What the head takes; None to predict.
      mode: A `ModeKeys`.
      head: A `Head`, with as many logits as it asks for.
      linear_feature_columns: v2 feature columns of the linear side, or none.
      linear_optimizer: See `optimizers.get_optimizer_instance_v2`; by name with 1 / sqrt(columns),
        at most 0.005.
      dnn_feature_columns: v2 feature columns of the deep side, all dense, or none.
      dnn_optimizer: The same; by name with 0.001.
      dnn_hidden_units: The size of each hidden layer, from the input on.
      dnn_activation_fn: The activation of the hidden layers.
      dnn_dropout: Which part of each hidden layer's outputs is dropped in training.
      config: Not looked at.
      batch_norm: Normalize each hidden layer's outputs by batch.
      linear_sparse_combiner: "sum", "mean" or "sqrtn"; see `LinearModel`.
      loss_reduction: Under SUM_OVER_BATCH_SIZE, a replica's gradient is its part of the mean.

    Returns:
      The head's `EstimatorSpec`.

    Raises:
      ValueError: An argument is of the wrong kind, or there are no feature columns.
    """
    del config
    columns_lib.check_features(features)
    check_columns(linear_feature_columns, dnn_feature_columns)
    sides = []  # Of each: its logits, its optimizer, its trainable variables, its updates.
    if dnn_feature_columns:
        check_hidden_units(dnn_hidden_units)
        if mode == ModeKeys.TRAIN:
            dnn_optimizer = optimizers.get_optimizer_instance_v2(dnn_optimizer, DNN_LEARNING_RATE)
        model = DNNModel(
            head.logits_dimension,
            dnn_hidden_units,
            dnn_feature_columns,
            dnn_activation_fn,
            dnn_dropout,
            batch_norm,
        )
        logits = model(features, mode)
        sides.append((logits, dnn_optimizer, model.trainable_variables, model.updates))
    if linear_feature_columns:
        if mode == ModeKeys.TRAIN:
            rate = linear.default_learning_rate(len(linear_feature_columns), LINEAR_LEARNING_RATE)
            linear_optimizer = optimizers.get_optimizer_instance_v2(linear_optimizer, rate)
        logits, variables = linear.linear_logits_v2(
            head.logits_dimension, linear_feature_columns, linear_sparse_combiner, features
        )
        layer_summaries.add(logits, "linear")
        sides.append((logits, linear_optimizer, variables, []))
    if mode == ModeKeys.TRAIN:
        # One optimizer alone counts the global step up.
        sides[0][1].iterations = tf1.train.get_or_create_global_step()
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        train_op_fn=functools.partial(_train_op, sides, loss_reduction),
        logits=functools.reduce(tf.add, [logits for logits, _, _, _ in sides]),
    )


def _train_op(sides: list[Any], loss_reduction: str, loss: tf.Tensor) -> tf.Operation:
    """Returns the operation that trains both sides."""
    replicas = tf.distribute.get_strategy().num_replicas_in_sync
    if loss_reduction == _MEAN and replicas > 1:
        loss *= 1.0 / replicas
    train_ops = []
    for _, optimizer, variables, updates in sides:
        train_ops += [*optimizer.get_updates(loss, variables), *updates]
    return tf.group(*train_ops)


class DNNLinearCombinedEstimatorV2(EstimatorV2):
    """A linear model and a deep network with a head of one's own.

    Args:
      head: A `Head`, as `MultiLabelHead`.
      model_dir: Where checkpoints and event files go.
      linear_feature_columns: Feature columns of the linear side: dense or categorical; or none.
      linear_optimizer: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD" with a learning rate of
        1 / sqrt(columns), at most 0.005; a `tf.keras.optimizers.legacy` optimizer (for one
        training); or a callable that makes one.
      dnn_feature_columns: Feature columns of the deep side: all dense; or none.
      dnn_optimizer: The same for the deep side; by name with a learning rate of 0.001.
      dnn_hidden_units: The size of each hidden layer, from the input on.
      dnn_activation_fn: The activation of the hidden layers; None is the identity.
      dnn_dropout: Which part of each hidden layer's outputs is dropped in training; None: nothing.
      config: A `RunConfig`.
      batch_norm: Normalize each hidden layer's outputs by batch.
      linear_sparse_combiner: How several ids of one column in one example are combined: "sum",
        "mean" or "sqrtn".

    Raises:
      ValueError: There are no feature columns, or an argument is of the wrong kind; of what
        concerns the model, in training.
    """

    def __init__(
        self,
        head: Any,
        model_dir: str | None = None,
        linear_feature_columns: Iterable[Any] | None = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Iterable[Any] | None = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
        dnn_dropout: float | None = None,
        config: RunConfig | None = None,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        check_columns(linear_feature_columns, dnn_feature_columns)
        model_fn = functools.partial(
            dnn_linear_combined_model_fn_v2,
            head=head,
            linear_feature_columns=tuple(linear_feature_columns or ()),
            linear_optimizer=optimizers.prepared(linear_optimizer),
            dnn_feature_columns=tuple(dnn_feature_columns or ()),
            dnn_optimizer=optimizers.prepared(dnn_optimizer),
            dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout,
            batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
            loss_reduction=_MEAN,
        )
        super().__init__(model_fn, model_dir, config)


class DNNLinearCombinedClassifierV2(EstimatorV2):
    """A linear model and a deep network that classify.

    Args:
      model_dir: Where checkpoints and event files go.
      linear_feature_columns: As in `DNNLinearCombinedEstimator`, like all that is not named here.
      linear_optimizer: The linear side's optimizer.
      dnn_feature_columns: The deep side's feature columns.
      dnn_optimizer: The deep side's optimizer.
      dnn_hidden_units: The deep side's hidden layers.
      dnn_activation_fn: Their activation.
      dnn_dropout: Their dropout.
      n_classes: How many classes there are; labels are ints below it.
      weight_column: The name of the feature, or a numeric column of it, that weighs examples.
      label_vocabulary: The classes' names in order, where labels are strings.
      config: A `RunConfig`.
      warm_start_from: A checkpoint's path or `WarmStartSettings`.
      loss_reduction: A `tf.losses.Reduction` but NONE: how examples' losses become the training's.
      batch_norm: The deep side's normalization.
      linear_sparse_combiner: The linear side's combiner.

    Raises:
      ValueError: There are no feature columns, or an argument is of the wrong kind; of what
        concerns the model, in training.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        linear_feature_columns: Iterable[Any] | None = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Iterable[Any] | None = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
        dnn_dropout: float | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = _MEAN,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        check_columns(linear_feature_columns, dnn_feature_columns)
        model_fn = functools.partial(
            dnn_linear_combined_model_fn_v2,
            head=heads.binary_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            ),
            linear_feature_columns=tuple(linear_feature_columns or ()),
            linear_optimizer=optimizers.prepared(linear_optimizer),
            dnn_feature_columns=tuple(dnn_feature_columns or ()),
            dnn_optimizer=optimizers.prepared(dnn_optimizer),
            dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout,
            batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
            loss_reduction=loss_reduction,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNLinearCombinedRegressorV2(EstimatorV2):
    """A linear model and a deep network that predict numbers.

    Args:
      model_dir: Where checkpoints and event files go.
      linear_feature_columns: As in `DNNLinearCombinedEstimator`, like all that is not named here.
      linear_optimizer: The linear side's optimizer.
      dnn_feature_columns: The deep side's feature columns.
      dnn_optimizer: The deep side's optimizer.
      dnn_hidden_units: The deep side's hidden layers.
      dnn_activation_fn: Their activation.
      dnn_dropout: Their dropout.
      label_dimension: How many numbers a label has: labels are of shape [batch_size, it].
      weight_column: The name of the feature, or a numeric column of it, that weighs examples.
      config: A `RunConfig`.
      warm_start_from: A checkpoint's path or `WarmStartSettings`.
      loss_reduction: A `tf.losses.Reduction` but NONE: how examples' losses become the training's.
      batch_norm: The deep side's normalization.
      linear_sparse_combiner: The linear side's combiner.

    Raises:
      ValueError: There are no feature columns, or an argument is of the wrong kind; of what
        concerns the model, in training.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        linear_feature_columns: Iterable[Any] | None = None,
        linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Iterable[Any] | None = None,
        dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
        dnn_dropout: float | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = _MEAN,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        check_columns(linear_feature_columns, dnn_feature_columns)
        model_fn = functools.partial(
            dnn_linear_combined_model_fn_v2,
            head=heads.RegressionHead(
                label_dimension=label_dimension,
                weight_column=weight_column,
                loss_reduction=loss_reduction,
            ),
            linear_feature_columns=tuple(linear_feature_columns or ()),
            linear_optimizer=optimizers.prepared(linear_optimizer),
            dnn_feature_columns=tuple(dnn_feature_columns or ()),
            dnn_optimizer=optimizers.prepared(dnn_optimizer),
            dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout,
            batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
            # As in TensorFlow 2.15: over replicas, SUM is scaled down as well.
            loss_reduction=_MEAN,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
