"""Export outputs of a training or an evaluation, such as loss, predictions and metrics.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     output = EvalOutput(loss=tf.constant(0.5), predictions={"y": tf.constant([1.0])})
>>> list(output.loss), list(output.predictions)
(['loss'], ['predictions/y'])
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.export.outputs import ExportOutput

tf1 = tf.compat.v1


class _SupervisedOutput(ExportOutput):
    """The outputs of a training or an evaluation. Each of them may be None.

    Args:
      loss: A tensor, or a dict of tensors. Names get the prefix "loss/" unless they start with
        "loss".
      predictions: A tensor, or a dict of tensors. Names get the prefix "predictions/" in the same
        way.
      metrics: A pair (value, update operation), or a dict of such pairs or Keras metrics by name.
        Each becomes two outputs, "metrics/NAME/value" and "metrics/NAME/update_op".

    Raises:
      ValueError: A name is not a string, or a value is not a tensor.
    """

    LOSS_NAME = "loss"
    PREDICTIONS_NAME = "predictions"
    METRICS_NAME = "metrics"
    METRIC_VALUE_SUFFIX = "value"
    METRIC_UPDATE_SUFFIX = "update_op"

    def __init__(self, loss: Any = None, predictions: Any = None, metrics: Any = None) -> None:
        self._loss = self._with_prefix(loss, self.LOSS_NAME)
        self._predictions = self._with_prefix(predictions, self.PREDICTIONS_NAME)
        self._metrics = None if metrics is None else self._named_metrics(metrics)

    @property
    def loss(self) -> dict[str, Any] | None:
        """The losses by name."""
        return self._loss

    @property
    def predictions(self) -> dict[str, Any] | None:
        """The predictions by name."""
        return self._predictions

    @property
    def metrics(self) -> dict[str, Any] | None:
        """The values and the updates of the metrics by name."""
        return self._metrics

    @abc.abstractmethod
    def _get_signature_def_fn(self) -> Callable[..., Any]:
        """Returns the function that makes a signature of (inputs, loss, predictions, metrics)."""

    def as_signature_def(self, receiver_tensors: Mapping[str, Any]) -> Any:
        """Makes the signature. See the base class."""
        make = self._get_signature_def_fn()
        return make(receiver_tensors, self.loss, self.predictions, self.metrics)

    def _with_prefix(self, outputs: Any, kind: str) -> dict[str, Any] | None:
        if outputs is None:
            return None
        tensors = self._wrap_and_check_outputs(outputs, kind)
        return {self._prefix_key(name, kind): value for name, value in tensors.items()}

    def _prefix_key(self, key: str, output_name: str) -> str:
        return key if key.startswith(output_name) else output_name + self._SEPARATOR_CHAR + key

    def _named_metrics(self, metrics: Any) -> dict[str, Any]:
        if not isinstance(metrics, dict):
            metrics = {self.METRICS_NAME: metrics}
        outputs = {}
        for key, metric in metrics.items():
            name = self._prefix_key(
                self._check_output_key(key, self.METRICS_NAME), self.METRICS_NAME
            )
            value, update = metric if isinstance(metric, tuple) else _of_keras(metric)
            if not isinstance(value, tf.Tensor):
                raise ValueError(f"{name} output value must be a Tensor; got {value}.")
            if not (tf.is_tensor(update) or isinstance(update, tf.Operation)):
                raise ValueError(f"{name} update_op must be a Tensor or Operation; got {update}.")
            outputs[name + self._SEPARATOR_CHAR + self.METRIC_VALUE_SUFFIX] = value
            outputs[name + self._SEPARATOR_CHAR + self.METRIC_UPDATE_SUFFIX] = _as_tensor(update)
        return outputs


class TrainOutput(_SupervisedOutput):
    """The outputs of a training. See `EvalOutput` for the arguments."""

    METHOD_NAME = "tensorflow/supervised/training"  # Not among TensorFlow's public constants.

    def _get_signature_def_fn(self) -> Callable[..., Any]:
        return _signature_maker(self.METHOD_NAME)


class EvalOutput(_SupervisedOutput):
    """The outputs of an evaluation. Each of them may be None.

    Args:
      loss: A tensor, or a dict of tensors. Names get the prefix "loss/" unless they start with
        "loss".
      predictions: A tensor, or a dict of tensors. Names get the prefix "predictions/" in the same
        way.
      metrics: A pair (value, update operation), or a dict of such pairs or Keras metrics by name.
        Each becomes two outputs, "metrics/NAME/value" and "metrics/NAME/update_op".

    Raises:
      ValueError: A name is not a string, or a value is not a tensor.
    """

    METHOD_NAME = "tensorflow/supervised/eval"  # Not among TensorFlow's public constants.

    def _get_signature_def_fn(self) -> Callable[..., Any]:
        return _signature_maker(self.METHOD_NAME)


def _signature_maker(method: str) -> Callable[..., Any]:
    def make(
        inputs: Mapping[str, Any],
        loss: Mapping[str, Any] | None,
        predictions: Mapping[str, Any] | None = None,
        metrics: Mapping[str, Any] | None = None,
    ) -> Any:
        if not inputs:
            raise ValueError(f"{method} `inputs` cannot be None or empty.")
        outputs = {**(loss or {}), **(predictions or {}), **(metrics or {})}
        # A Predict signature differs only in its method name. It needs at least one output, so the
        # inputs stand in for missing outputs and are dropped below.
        info = tf1.saved_model.predict_signature_def(inputs, outputs or inputs)
        return tf1.saved_model.build_signature_def(
            info.inputs, info.outputs if outputs else {}, method
        )

    return make


def _of_keras(metric: Any) -> tuple[Any, Any]:
    (update,) = metric.updates
    return metric.result(), update


def _as_tensor(update: Any) -> tf.Tensor:
    """Returns a tensor for an update, because a signature can only name tensors."""
    if isinstance(update, tf.Tensor):
        return update
    with tf.control_dependencies([update]):
        return tf.constant([], name="metric_op_wrapper")
