"""Model functions of the canned estimators of contrib.learn: linear, deep, and combined.

Feature columns are those of contrib.layers or of tf.feature_column. Variables have the same names
as in TensorFlow 1.15, such as "dnn/hiddenlayer_0/weights" and "linear/bias_weight".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy import contrib
from legacy.contrib.learn.constants import ModeKeys
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps

tf1 = tf.compat.v1

_DNN_RATE = 0.05
_LINEAR_RATE = 0.2
_MIN_SLICE_BYTES = 64 << 20
_ACTIVATIONS = {"relu": tf.nn.relu, "tanh": tf.nn.tanh, "sigmoid": tf.nn.sigmoid}
_DNN, _LINEAR = "dnn", "linear"
_INPUT = "input_from_feature_columns"


def dnn_model_fn(
    features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None
) -> ModelFnOps:
    """Builds a deep network.

    Args:
      features: A tensor or a dict of tensors.
      labels: A tensor or a dict of tensors, or None.
      mode: A member of `ModeKeys`.
      params: "head", "hidden_units", "feature_columns", and optionally "optimizer",
        "activation_fn", "dropout", "gradient_clip_norm", "embedding_lr_multipliers",
        "input_layer_min_slice_size".
      config: The RunConfig.
    """
    head, features = params["head"], _by_name(features)
    with tf1.variable_scope(_DNN, partitioner=partitioner(config)):
        logits, input_scope = _dnn_logits(
            features,
            mode,
            head.logits_dimension,
            columns=params["feature_columns"],
            hidden_units=params["hidden_units"],
            activation_fn=_activation(params.get("activation_fn")),
            dropout=params.get("dropout"),
            input_partitioner=partitioner(
                config, params.get("input_layer_min_slice_size") or _MIN_SLICE_BYTES
            ),
            tag="{}_{}",
        )

        def train_op_fn(loss: tf.Tensor) -> Any:
            return contrib.layers.optimize_loss(
                loss=loss,
                global_step=tf1.train.get_global_step(),
                learning_rate=_DNN_RATE,
                optimizer=_make_optimizer(params.get("optimizer") or "Adagrad"),
                gradient_multipliers=_multipliers(
                    params.get("embedding_lr_multipliers"), input_scope
                ),
                clip_gradients=params.get("gradient_clip_norm"),
                name=_DNN,
                summaries=[],
            )

        return head.create_model_fn_ops(
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


def linear_model_fn(
    features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None
) -> ModelFnOps:
    """Builds a linear model.

    Args:
      features: A tensor or a dict of tensors.
      labels: A tensor or a dict of tensors, or None.
      mode: A member of `ModeKeys`.
      params: "head", "feature_columns", and optionally "optimizer", "gradient_clip_norm",
        "joint_weights".
      config: The RunConfig.
    """
    head, features, columns = params["head"], _by_name(features), params["feature_columns"]
    optimizer = params.get("optimizer") or tf1.train.FtrlOptimizer(_linear_rate(columns))
    clip_norm = params.get("gradient_clip_norm")
    input_partitioner = partitioner(config, _MIN_SLICE_BYTES)
    with tf1.variable_scope(_LINEAR, partitioner=input_partitioner) as scope:
        logits = _linear_logits(
            features, columns, head.logits_dimension, params.get("joint_weights"), scope
        )

        def train_op_fn(loss: tf.Tensor) -> Any:
            variables = tf1.get_collection(_LINEAR)
            gradients = tf.gradients(loss, variables)
            if clip_norm:
                gradients, _ = tf.clip_by_global_norm(gradients, clip_norm)
            return _linear_optimizer(optimizer).apply_gradients(
                zip(gradients, variables, strict=True), global_step=tf1.train.get_global_step()
            )

        return head.create_model_fn_ops(
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


def combined_model_fn(
    features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None
) -> ModelFnOps:
    """Builds a linear model and a deep network, and adds their logits.

    Args:
      features: A tensor or a dict of tensors.
      labels: A tensor or a dict of tensors, or None.
      mode: A member of `ModeKeys`.
      params: "head", and the constructor's arguments by name.
      config: The RunConfig.

    Raises:
      ValueError: No columns are defined, or deep columns lack hidden units.
    """
    head, features = params["head"], _by_name(features)
    linear_columns, dnn_columns = params["linear_feature_columns"], params["dnn_feature_columns"]
    if not linear_columns and not dnn_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    if dnn_columns and not params.get("dnn_hidden_units"):
        raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
    optimizers = {
        _DNN: _check_optimizer(_make_optimizer(params.get("dnn_optimizer") or "Adagrad")),
        _LINEAR: _check_optimizer(_make_optimizer(params.get("linear_optimizer") or "Ftrl")),
    }
    input_partitioner = params.get("input_layer_partitioner") or partitioner(
        config, _MIN_SLICE_BYTES
    )
    logits: dict[str, tf.Tensor] = {}
    multipliers = None
    if dnn_columns:
        with tf1.variable_scope(_DNN, partitioner=partitioner(config)):
            logits[_DNN], input_scope = _dnn_logits(
                features,
                mode,
                head.logits_dimension,
                columns=dnn_columns,
                hidden_units=params["dnn_hidden_units"],
                activation_fn=_activation(params.get("dnn_activation_fn") or tf.nn.relu),
                dropout=params.get("dnn_dropout"),
                input_partitioner=input_partitioner,
                tag="{}/{}",
            )
            multipliers = _multipliers(params.get("embedding_lr_multipliers"), input_scope)
    if linear_columns:
        linear_partitioner = partitioner(config, _MIN_SLICE_BYTES)
        with tf1.variable_scope(_LINEAR, partitioner=linear_partitioner) as scope:
            logits[_LINEAR] = _linear_logits(
                features,
                linear_columns,
                head.logits_dimension,
                params.get("joint_linear_weights"),
                scope,
            )
            _summarize(logits[_LINEAR], scope.name, "{}/{}")
    rates = {_DNN: _DNN_RATE, _LINEAR: _linear_rate(linear_columns) if linear_columns else None}

    def train_op_fn(loss: tf.Tensor) -> Any:
        counts_once = params.get("fix_global_step_increment_bug", True)
        step = tf1.train.get_global_step()
        ops = [
            contrib.layers.optimize_loss(
                loss=loss,
                global_step=step,
                learning_rate=rates[part],
                optimizer=optimizers[part],
                gradient_multipliers=multipliers if part == _DNN else None,
                clip_gradients=params.get("gradient_clip_norm"),
                variables=tf1.get_collection(part),
                name=part,
                summaries=[],
                increment_global_step=not counts_once,
            )
            for part in logits
        ]
        if not counts_once:
            return tf.group(*ops)
        # `optimize_loss` has not counted the step, so it is counted once, after all parts.
        with tf.control_dependencies(ops):
            return tf1.assign_add(step, 1).op

    return head.create_model_fn_ops(
        features=features,
        mode=mode,
        labels=labels,
        train_op_fn=train_op_fn,
        logits=tf.add_n(list(logits.values())) if len(logits) > 1 else next(iter(logits.values())),
    )


def _dnn_logits(
    features: dict[str, Any],
    mode: str,
    dimension: int,
    *,
    columns: Sequence[Any],
    hidden_units: Sequence[int],
    activation_fn: Any,
    dropout: float | None,
    input_partitioner: Any,
    tag: str,
) -> tuple[tf.Tensor, str]:
    """Returns the logits, and the name of the input layer's scope."""
    layers = contrib.layers
    with tf1.variable_scope(_INPUT, partitioner=input_partitioner) as input_scope:
        if _are_contrib(columns):
            net = layers.input_from_feature_columns(
                columns_to_tensors=features,
                feature_columns=columns,
                weight_collections=[_DNN],
                scope=input_scope,
            )
        else:
            net = tf1.feature_column.input_layer(features, columns, weight_collections=[_DNN])
    for i, units in enumerate(hidden_units):
        with tf1.variable_scope(f"hiddenlayer_{i}") as scope:
            net = layers.fully_connected(
                net, units, activation_fn=activation_fn, variables_collections=[_DNN], scope=scope
            )
            if dropout is not None and mode == ModeKeys.TRAIN:
                net = layers.dropout(net, keep_prob=1.0 - dropout)
        _summarize(net, scope.name, tag)
    with tf1.variable_scope("logits") as scope:
        logits = layers.fully_connected(
            net, dimension, activation_fn=None, variables_collections=[_DNN], scope=scope
        )
    _summarize(logits, scope.name, tag)
    return logits, input_scope.name


def _linear_logits(
    features: dict[str, Any], columns: Sequence[Any], dimension: int, joint: Any, scope: Any
) -> tf.Tensor:
    if not _are_contrib(columns):
        return tf1.feature_column.linear_model(
            features, columns, units=dimension, weight_collections=[_LINEAR]
        )
    layers = contrib.layers
    layer = (
        layers.joint_weighted_sum_from_feature_columns
        if joint
        else layers.weighted_sum_from_feature_columns
    )
    logits, _, _ = layer(
        columns_to_tensors=features,
        feature_columns=columns,
        num_outputs=dimension,
        weight_collections=[_LINEAR],
        scope=scope,
    )
    return logits


def _are_contrib(columns: Sequence[Any]) -> bool:
    """Returns true for columns of contrib.layers, which have no `parse_example_spec`."""
    return not any(hasattr(column, "parse_example_spec") for column in columns)


def _by_name(features: Any) -> dict[str, Any]:
    return features if isinstance(features, dict) else {"": features}


def partitioner(config: Any, min_slice_size: int = 256 << 10) -> Any:
    """Returns a partitioner that splits large variables among the ps.

    Args:
      config: The RunConfig, or None.
      min_slice_size: Minimum size of a partition, in bytes.
    """
    # Needed without a ps as well: it gives variables and their slots the names that old
    # checkpoints contain.
    replicas = config.num_ps_replicas if config else 0
    return tf1.min_max_variable_partitioner(max_partitions=replicas, min_slice_size=min_slice_size)


def _activation(activation: Any) -> Any:
    if not isinstance(activation, str):
        return activation
    if activation not in _ACTIVATIONS:
        raise ValueError(
            f"Activation name should be one of {sorted(_ACTIVATIONS)}, you provided {activation}."
        )
    return _ACTIVATIONS[activation]


def _make_optimizer(optimizer: Any) -> Any:
    return optimizer() if callable(optimizer) else optimizer


def _check_optimizer(optimizer: Any) -> Any:
    if isinstance(optimizer, tf1.train.SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer is not supported in DNNLinearCombined model: use the DNN or "
            "the Linear model alone."
        )
    return optimizer


def _linear_optimizer(optimizer: Any) -> Any:
    if isinstance(optimizer, str):
        return contrib.layers.OPTIMIZER_CLS_NAMES[optimizer](learning_rate=_LINEAR_RATE)
    return _make_optimizer(optimizer)


def _linear_rate(columns: Sequence[Any]) -> float:
    return min(_LINEAR_RATE, 1.0 / math.sqrt(len(columns)))


def _multipliers(factors: dict[Any, float] | None, input_scope: str) -> dict[Any, float] | None:
    """Returns the gradient multipliers by variable."""
    if not factors:
        return None
    multipliers = {}
    for column, factor in factors.items():
        variables = tf1.get_collection(_DNN, f"{input_scope}/{column.name}")
        if not variables:
            raise ValueError(
                f"Couldn't find a variable for column {column}: learning rate multipliers are for "
                "embedding columns of dnn_feature_columns."
            )
        multipliers.update((variable, factor) for variable in variables)
    return multipliers


def _summarize(value: tf.Tensor, name: str, tag: str) -> None:
    zeros = tf.math.zero_fraction(value)
    tf1.summary.scalar(tag.format(name, "fraction_of_zero_values"), zeros)
    tf1.summary.histogram(tag.format(name, "activation"), value)
