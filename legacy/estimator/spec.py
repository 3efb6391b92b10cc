"""EstimatorSpec, the return value of a model_fn.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     spec = EstimatorSpec("eval", loss=tf.constant(0.5))
>>> spec.mode, spec.predictions
('eval', {})

The checks and their order are those observed in TensorFlow 2.15.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments
from legacy.estimator.export import modes
from legacy.estimator.export.outputs import ExportOutput
from legacy.estimator.mode_keys import ModeKeys

tf1 = tf.compat.v1

_FIELDS = (
    "mode",
    "predictions",
    "loss",
    "train_op",
    "eval_metric_ops",
    "export_outputs",
    "training_chief_hooks",
    "training_hooks",
    "scaffold",
    "evaluation_hooks",
    "prediction_hooks",
)


class EstimatorSpec(collections.namedtuple("EstimatorSpec", _FIELDS)):
    """The operations and objects by which Estimator trains, evaluates and predicts.

    Args:
      mode: One of `ModeKeys`.
      predictions: A tensor, or a dict of tensors by name. Required in mode PREDICT.
      loss: A tensor with one element. Required in modes TRAIN and EVAL.
      train_op: The operation of one training step. Required in mode TRAIN.
      eval_metric_ops: Metrics by name. Each is a pair (value tensor, update op) or a Keras metric.
      export_outputs: `ExportOutput`s by signature name. Used only in mode PREDICT. By default, the
        predictions become a `PredictOutput`.
      training_chief_hooks: `SessionRunHook`s that run on the chief.
      training_hooks: `SessionRunHook`s that run on every trainer.
      scaffold: A `tf.compat.v1.train.Scaffold` with the initializers and the saver.
      evaluation_hooks: `SessionRunHook`s that run in evaluation.
      prediction_hooks: `SessionRunHook`s that run in prediction.

    Raises:
      ValueError: An argument that the mode requires is missing, or comes from another graph.
      TypeError: An argument has the wrong type.
    """

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: tf.Tensor | None = None,
        train_op: tf.Tensor | tf.Operation | None = None,
        eval_metric_ops: Mapping[str, Any] | None = None,
        export_outputs: Mapping[str, ExportOutput] | None = None,
        training_chief_hooks: Iterable[Any] | None = None,
        training_hooks: Iterable[Any] | None = None,
        scaffold: Any = None,
        evaluation_hooks: Iterable[Any] | None = None,
        prediction_hooks: Iterable[Any] | None = None,
    ) -> EstimatorSpec:
        """Checks the arguments against the mode."""
        train_op = _check_train_op(train_op, mode)
        loss = _check_loss(loss, mode)
        predictions = _check_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = modes.get_export_outputs(export_outputs, predictions)
        hooks = [
            arguments.check_hooks(
                h, tf1.train.SessionRunHook, "All hooks must be SessionRunHook instances"
            )
            for h in (training_chief_hooks, training_hooks, evaluation_hooks, prediction_hooks)
        ]
        eval_metric_ops = _check_metrics(eval_metric_ops)
        scaffold = scaffold or tf1.train.Scaffold()
        if not isinstance(scaffold, tf1.train.Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls,
            mode,
            predictions,
            loss,
            train_op,
            eval_metric_ops,
            export_outputs,
            hooks[0],
            hooks[1],
            scaffold,
            hooks[2],
            hooks[3],
        )

    def _replace(self, **changes: Any) -> EstimatorSpec:
        """Returns a copy with some fields replaced, after the checks of a new EstimatorSpec.

        Args:
          **changes: New values by field name. Unknown names are ignored, as in TensorFlow 2.15,
            but with a warning.

        Raises:
          ValueError: The mode would change, or a check fails.
          TypeError: A check fails.
        """
        if changes.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        if unknown := sorted(set(changes) - set(_FIELDS)):
            tf1.logging.warning("EstimatorSpec has no fields %s: ignored.", unknown)
        return EstimatorSpec(*(changes.get(name, getattr(self, name)) for name in _FIELDS))


def _is_tensor(value: Any) -> bool:
    # tf.is_tensor also accepts sparse and ragged tensors, which cannot be fetched as one array.
    return isinstance(value, (tf.Tensor, tf.Variable))


def _check_graph(value: Any, name: str) -> None:
    if not tf.executing_eagerly() and value.graph is not tf1.get_default_graph():
        raise ValueError(
            f'{name} with "{value.name}" must be from the default graph: it was created outside of '
            "the model_fn call that this EstimatorSpec belongs to."
        )


def _check_train_op(train_op: Any, mode: str) -> Any:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not _is_tensor(train_op) and not isinstance(train_op, tf.Operation):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    if isinstance(train_op, tf.Variable):
        train_op = train_op.op
    _check_graph(train_op, "train_op")
    return train_op


def _check_loss(loss: Any, mode: str) -> Any:
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    if not _is_tensor(loss):
        raise TypeError(f"loss must be Tensor, given: {loss}")
    if loss.shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    if not loss.shape.is_compatible_with([]):
        loss = tf.reshape(loss, [])
    _check_graph(loss, "loss")
    return loss


def _check_predictions(predictions: Any, mode: str) -> Any:
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if not isinstance(predictions, dict):
        _check_prediction(predictions, "predictions", "")
        return predictions
    for key, value in predictions.items():
        _check_prediction(value, f"predictions[{key}]", f"{key}: ")
    return dict(predictions)


def _check_prediction(value: Any, name: str, prefix: str) -> None:
    if not _is_tensor(value):
        raise TypeError(f"{name} must be Tensor, given: {value}")
    _check_graph(value, f"prediction values {prefix}".strip())


def _check_metrics(metrics: Any) -> dict[str, Any]:
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    checked_metrics = {}
    for key, value in metrics.items():
        if _is_keras_metric(value):
            checked_metrics[key] = _check_keras_metric(key, value)
            continue
        if not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(
                "Values of eval_metric_ops must be (metric_value, update_op) tuples, "
                f"given: {value} for key: {key}"
            )
        for part in tf.nest.flatten(value):
            _check_metric_part(key, part)
        checked_metrics[key] = value
    for metric in metrics.values():
        if _is_keras_metric(metric):
            _collect_variables(metric)
    return checked_metrics


def _check_metric_part(key: str, part: Any) -> None:
    if not _is_tensor(part) and not isinstance(part, tf.Operation):
        raise TypeError(
            "Values of eval_metric_ops must be tensors and operations, "
            f"given: {part!r} for key: {key}"
        )
    _check_graph(part, f"eval_metric_ops {key}:")


def _is_keras_metric(value: Any) -> bool:
    # Not isinstance: tf_keras has this class, and copies of it exist under other names.
    return hasattr(value, "result") and hasattr(value, "update_state")


def _check_keras_metric(key: str, metric: Any) -> tuple[tf.Tensor, Any]:
    if not metric.updates:
        raise ValueError(f'Please call update_state(...) on the "{metric.name}" metric')
    result = metric.result()
    for part in [*metric.updates, result]:
        _check_metric_part(key, part)
    return result, metric.updates[0]


def _collect_variables(metric: Any) -> None:
    """Adds a Keras metric's variables to the collections that a session initializes.

    Keras itself does not add them.
    """
    for name in (tf1.GraphKeys.LOCAL_VARIABLES, tf1.GraphKeys.METRIC_VARIABLES):
        collected_ids = {id(variable) for variable in tf1.get_collection(name)}
        for variable in metric.variables:
            if id(variable) not in collected_ids:
                tf1.add_to_collection(name, variable)
