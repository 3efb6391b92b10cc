"""Wide-and-deep models, in the v1 API. They add the logits of a linear model and a deep network.

    import tensorflow as tf
    from legacy.compat.v1 import estimator

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

from legacy.estimator.canned import argument_texts, layer_summaries, optimizers
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned.v1 import partitioners
from legacy.estimator.canned.v1.dnn import dnn_logit_fn_builder
from legacy.estimator.canned.v1.linear import linear_logit_fn_builder
from legacy.estimator.canned.v2.dnn_linear_combined import (
    DNN_LEARNING_RATE,
    LINEAR_LEARNING_RATE,
    check_columns,
    check_hidden_units,
)
from legacy.estimator.canned.v2.linear import default_learning_rate
from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import Estimator
from legacy.estimator.heads import v1 as heads
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.COMBINED | argument_texts.V1

_TRAINABLE = tf1.GraphKeys.TRAINABLE_VARIABLES


@documented(_TEXTS)
def dnn_linear_combined_model_fn(
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
    input_layer_partitioner: Any = None,
    config: RunConfig | None = None,
    batch_norm: bool = False,
    linear_sparse_combiner: str = "sum",
) -> EstimatorSpec:
    """Builds the EstimatorSpec for the estimators in this module.

    {args}

    Returns:
      The EstimatorSpec of the head.

    Raises:
      ValueError: If an argument is invalid, or if no feature columns are passed.
    """
    columns_lib.check_features(features)
    check_columns(linear_feature_columns, dnn_feature_columns)
    inputs = tuple(features.values())
    input_layer_partitioner = input_layer_partitioner or partitioners.of_input_layer(config)
    sides = []  # Tuples (logits, optimizer, variable scope).
    if dnn_feature_columns:
        dnn_optimizer = _optimizer(dnn_optimizer, DNN_LEARNING_RATE)
        check_hidden_units(dnn_hidden_units)
        partitioner = partitioners.of_hidden_layers(config)
        with tf1.variable_scope("dnn", values=inputs, partitioner=partitioner) as scope:
            logit_fn = dnn_logit_fn_builder(
                head.logits_dimension,
                dnn_hidden_units,
                dnn_feature_columns,
                dnn_activation_fn,
                dnn_dropout,
                input_layer_partitioner,
                batch_norm,
            )
            sides.append((logit_fn(features, mode), dnn_optimizer, scope.name))
    if linear_feature_columns:
        rate = default_learning_rate(len(linear_feature_columns), LINEAR_LEARNING_RATE)
        linear_optimizer = _optimizer(linear_optimizer, rate)
        with tf1.variable_scope(
            "linear", values=inputs, partitioner=input_layer_partitioner
        ) as scope:
            logit_fn = linear_logit_fn_builder(
                head.logits_dimension, linear_feature_columns, linear_sparse_combiner
            )
            logits = logit_fn(features)
            layer_summaries.add(logits, scope.name)
            sides.append((logits, linear_optimizer, scope.name))
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        train_op_fn=functools.partial(_train_op, sides),
        logits=functools.reduce(tf.add, [logits for logits, _, _ in sides]),
    )


def _optimizer(optimizer: Any, learning_rate: float) -> Any:
    optimizer = optimizers.get_optimizer_instance(optimizer, learning_rate)
    if isinstance(optimizer, tf1.train.SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is not "
            "supported in DNNLinearCombined model. Use a DNN or a Linear model with it."
        )
    return optimizer


def _train_op(sides: list[Any], loss: tf.Tensor) -> tf.Operation:
    """Returns the operation that trains both sides and increments the global step once."""
    train_ops = [
        optimizer.minimize(loss, var_list=tf1.get_collection(_TRAINABLE, scope=scope))
        for _, optimizer, scope in sides
    ]
    with tf.control_dependencies([tf.group(*train_ops)]):
        return tf1.assign_add(tf1.train.get_global_step(), 1).op


@documented(_TEXTS)
class DNNLinearCombinedEstimator(Estimator):
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
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        check_columns(linear_feature_columns, dnn_feature_columns)
        model_fn = functools.partial(
            dnn_linear_combined_model_fn,
            head=head,
            linear_feature_columns=tuple(linear_feature_columns or ()),
            linear_optimizer=linear_optimizer,
            dnn_feature_columns=tuple(dnn_feature_columns or ()),
            dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout,
            input_layer_partitioner=input_layer_partitioner,
            batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config)


@documented(_TEXTS)
class DNNLinearCombinedClassifier(Estimator):
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
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = tf1.losses.Reduction.SUM,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        check_columns(linear_feature_columns, dnn_feature_columns)
        model_fn = functools.partial(
            dnn_linear_combined_model_fn,
            head=heads.binary_logistic_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            ),
            linear_feature_columns=tuple(linear_feature_columns or ()),
            linear_optimizer=linear_optimizer,
            dnn_feature_columns=tuple(dnn_feature_columns or ()),
            dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout,
            input_layer_partitioner=input_layer_partitioner,
            batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@documented(_TEXTS)
class DNNLinearCombinedRegressor(Estimator):
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
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
        warm_start_from: Any = None,
        loss_reduction: str = tf1.losses.Reduction.SUM,
        batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        check_columns(linear_feature_columns, dnn_feature_columns)
        model_fn = functools.partial(
            dnn_linear_combined_model_fn,
            head=heads.regression_head(
                label_dimension=label_dimension,
                weight_column=weight_column,
                loss_reduction=loss_reduction,
            ),
            linear_feature_columns=tuple(linear_feature_columns or ()),
            linear_optimizer=linear_optimizer,
            dnn_feature_columns=tuple(dnn_feature_columns or ()),
            dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout,
            input_layer_partitioner=input_layer_partitioner,
            batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
