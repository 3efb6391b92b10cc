"""Functions of the original's private `canned` modules and `head.base_head`, for libraries.

>>> summed, tensors = create_eval_metrics_tuple(lambda a, b: a + b, {"a": 1, "b": 2})
>>> summed(**tensors)
3

Libraries with their own heads and models import them from `canned.head`, `canned.dnn`,
`canned.linear` and `canned.dnn_linear_combined`, most with a "_" in front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import arguments
from legacy.estimator.canned import optimizers
from legacy.estimator.canned.v2 import dnn_linear_combined, linear

tf1 = tf.compat.v1


def append_update_ops(train_op: Any) -> Any:
    """Returns a train op that also runs the graph's UPDATE_OPS.

    Args:
      train_op: The train op.
    """
    update_ops = tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)
    return tf.group(train_op, *update_ops) if update_ops else train_op


def create_eval_metrics_tuple(
    fn: Callable[..., Any], kwargs: Mapping[str, Any]
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Returns the `eval_metrics` of a TPUEstimatorSpec, whose arguments are all tensors.

    Args:
      fn: Function that returns the metrics.
      kwargs: Its arguments by name: tensors and other values.

    Returns:
      A function of the tensors, and the tensors by name.
    """
    tensors = {name: value for name, value in kwargs.items() if tf.is_tensor(value)}
    other_arguments = {name: value for name, value in kwargs.items() if name not in tensors}
    return lambda **tensors: fn(**other_arguments, **tensors), tensors


def name_from_scope_name(name: str) -> str:
    """Returns the name of an operation for the name of its scope, which may end in "/".

    Args:
      name: Name of the scope.
    """
    return name.removesuffix("/")


def get_previous_name_scope() -> str:
    """Returns the name scope around the current one, with "/" at the end."""
    return tf.__internal__.get_name_scope().rsplit("/", 1)[0] + "/"


def linear_learning_rate(num_linear_feature_columns: int) -> float:
    """Returns the default learning rate of the linear side of a wide-and-deep model.

    Args:
      num_linear_feature_columns: Number of its columns.
    """
    limit = dnn_linear_combined.LINEAR_LEARNING_RATE
    return linear.default_learning_rate(num_linear_feature_columns, limit)


def validate_feature_columns(
    linear_feature_columns: Iterable[Any] | None, dnn_feature_columns: Iterable[Any] | None
) -> list[Any]:
    """Returns the columns of both sides of a wide-and-deep model.

    Args:
      linear_feature_columns: Columns of the linear side, or None.
      dnn_feature_columns: Columns of the deep side, or None.

    Raises:
      ValueError: Both are missing.
    """
    dnn_linear_combined.check_columns(linear_feature_columns, dnn_feature_columns)
    return [*(linear_feature_columns or ()), *(dnn_feature_columns or ())]


def check_no_sync_replicas_optimizer(optimizer: Any) -> None:
    """Raises ValueError for a SyncReplicasOptimizer, which a wide-and-deep model cannot use.

    Args:
      optimizer: A v1 optimizer.
    """
    if isinstance(optimizer, tf1.train.SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is not "
            "supported in DNNLinearCombined model. If you want to use this optimizer, please use "
            "either DNN or Linear model."
        )


def get_default_optimizer(feature_columns: Sequence[Any]) -> Any:
    """Returns the default optimizer of a linear model in the v1 API.

    Args:
      feature_columns: Columns of the model.
    """
    rate = linear.default_learning_rate(len(feature_columns))
    return optimizers.get_optimizer_instance("Ftrl", rate)


def get_default_optimizer_v2(feature_columns: Sequence[Any]) -> Any:
    """Returns the default optimizer of a linear model in the v2 API.

    Args:
      feature_columns: Columns of the model.
    """
    return tf_keras.optimizers.legacy.Ftrl(linear.default_learning_rate(len(feature_columns)))


def get_expanded_variable_list(var_list: Iterable[Any]) -> list[Any]:
    """Returns variables, with the parts of a partitioned variable in its place.

    Args:
      var_list: Variables, tensors and partitioned variables.
    """
    variables: list[Any] = []
    for variable in var_list:
        is_whole = isinstance(variable, (tf.Variable, tf.Tensor))
        variables.extend([variable] if is_whole else variable)
    return variables


def verify_metric_fn_args(metric_fn: Callable[..., Any]) -> None:
    """Raises ValueError if the metric_fn of `add_metrics` takes an unexpected argument.

    Args:
      metric_fn: The function.
    """
    unexpected = set(arguments.names(metric_fn)) - {"features", "labels", "predictions", "config"}
    if unexpected:
        raise ValueError(
            f"metric_fn ({metric_fn}) has following not expected args: {sorted(unexpected)}"
        )


def call_metric_fn(
    metric_fn: Callable[..., Any], features: Any, labels: Any, predictions: Any, config: Any
) -> Any:
    """Calls the metric_fn of `add_metrics` with those of the arguments that it names.

    Args:
      metric_fn: The function.
      features: Argument of the function.
      labels: Argument of the function.
      predictions: Argument of the function.
      config: Argument of the function.
    """
    argument_values = {
        "features": features,
        "labels": labels,
        "predictions": predictions,
        "config": config,
    }
    names = arguments.names(metric_fn)
    return metric_fn(**{name: value for name, value in argument_values.items() if name in names})


def get_dnn_estimator_spec(
    use_tpu: bool,
    head: Any,
    features: Any,
    labels: Any,
    mode: str,
    logits: tf.Tensor,
    optimizer: Any,
) -> Any:
    """Returns the spec that a head creates.

    Args:
      use_tpu: If true, calls `_create_tpu_estimator_spec` of the head.
      head: The head.
      features: Argument of the head.
      labels: Argument of the head.
      mode: Argument of the head.
      logits: Argument of the head.
      optimizer: Argument of the head.
    """
    create = head._create_tpu_estimator_spec if use_tpu else head.create_estimator_spec
    return create(features=features, mode=mode, labels=labels, optimizer=optimizer, logits=logits)


def no_op_train_fn(loss: tf.Tensor) -> tf.Operation:
    """Returns an operation that does nothing, for the heads of a MultiHead.

    Args:
      loss: Ignored.
    """
    del loss
    return tf.no_op()


def default_export_output(export_outputs: Mapping[str, Any], head_name: str) -> Any:
    """Returns the default one of a head's export outputs.

    Args:
      export_outputs: Export outputs by signature name.
      head_name: Name of the head, for the error.

    Raises:
      ValueError: There are several, and none has the default name.
    """
    if len(export_outputs) == 1:
        return next(iter(export_outputs.values()))
    key = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if key not in export_outputs:
        raise ValueError(
            f"{head_name} did not specify default export_outputs. Given: {export_outputs} "
            f"Suggested fix: Use one of the heads in tf.estimator, or include key {key} in "
            "export_outputs."
        )
    return export_outputs[key]
