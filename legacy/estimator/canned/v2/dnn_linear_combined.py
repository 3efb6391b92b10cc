"""Wide-and-deep models, in the v2 API. They add the logits of a linear model and a deep network.

    import tensorflow as tf
    from legacy import estimator

    word = tf.feature_column.categorical_column_with_hash_bucket("word", 10_000)
    classifier = estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=[word],
        dnn_feature_columns=[tf.feature_column.embedding_column(word, 16)],
        dnn_hidden_units=[64, 32],
    )
    classifier.train(input_fn, steps=1000)

Each side has its own optimizer. The variables are those of the modules `linear` and `dnn`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import heads
from legacy.estimator.canned import argument_texts, layer_summaries, optimizers
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned.v2 import linear
from legacy.estimator.canned.v2.dnn_model import DNNModel
from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import EstimatorV2
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.COMBINED | argument_texts.V2

# Learning rates of optimizers that are specified by name. That of the linear side is the maximum.
DNN_LEARNING_RATE = 0.001
LINEAR_LEARNING_RATE = 0.005

_MEAN = tf_keras.losses.Reduction.SUM_OVER_BATCH_SIZE


def check_columns(linear_feature_columns: Any, dnn_feature_columns: Any) -> None:
    """Checks that at least one side has feature columns.

    Args:
      linear_feature_columns: Feature columns, or None.
      dnn_feature_columns: Feature columns, or None.

    Raises:
      ValueError: If both are missing.
    """
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")


def check_hidden_units(dnn_hidden_units: Any) -> None:
    """Checks that the deep side has hidden layers.

    Args:
      dnn_hidden_units: Sizes of the hidden layers.

    Raises:
      ValueError: If there are no hidden layers.
    """
    if not dnn_hidden_units:
        raise ValueError(
            "dnn_hidden_units must be defined when dnn_feature_columns is specified, as [64, 32]. "
            f"Given: {dnn_hidden_units}"
        )


@documented(
    _TEXTS,
    config="Not used.",
    loss_reduction="Reduction of the head's loss. With SUM_OVER_BATCH_SIZE, each replica trains on "
    "its part of the global mean.",
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
    """Builds the EstimatorSpec for the estimators in this module.

    {args}

    Returns:
      The EstimatorSpec of the head.

    Raises:
      ValueError: If an argument is invalid, or if no feature columns are passed.
    """
    del config
    columns_lib.check_features(features)
    check_columns(linear_feature_columns, dnn_feature_columns)
    sides = []  # Tuples (logits, optimizer, trainable variables, updates).
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
        # Only one optimizer increments the global step. Otherwise each step would count twice.
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


@documented(_TEXTS)
class DNNLinearCombinedEstimatorV2(EstimatorV2):
    """A linear model and a deep network with a custom head.

    {args}

    Raises:
      ValueError: If no feature columns are passed, or if an argument is invalid. Arguments of the
        model are checked in training.
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


@documented(_TEXTS)
class DNNLinearCombinedClassifierV2(EstimatorV2):
    """A linear model and a deep network for classification.

    {args}

    Raises:
      ValueError: If no feature columns are passed, or if an argument is invalid. Arguments of the
        model are checked in training.
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


@documented(_TEXTS)
class DNNLinearCombinedRegressorV2(EstimatorV2):
    """A linear model and a deep network for regression.

    {args}

    Raises:
      ValueError: If no feature columns are passed, or if an argument is invalid. Arguments of the
        model are checked in training.
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
            # As in TensorFlow 2.15, a sum is also divided by the number of replicas.
            loss_reduction=_MEAN,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
