"""Head, which turns logits into ModelFnOps, and the base class of heads with one kind of labels.

ops = head.create_model_fn_ops(features, mode, labels, train_op_fn, logits=logits)
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy import contrib
from legacy.contrib.learn.constants import MetricKey, ModeKeys
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps
from legacy.contrib.learn.heads import labels_and_losses as parts

tf1 = tf.compat.v1

_CENTERED_BIAS_RATE = 0.1
_TrainOpFn = Callable[[tf.Tensor], Any]


class Head(abc.ABC):
    """Turns logits, or the inputs of a layer that computes them, into ModelFnOps."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """The number of logits of an example."""

    @abc.abstractmethod
    def create_model_fn_ops(
        self,
        features: dict[str, Any],
        mode: str,
        labels: Any = None,
        train_op_fn: _TrainOpFn | None = None,
        logits: Any = None,
        logits_input: tf.Tensor | None = None,
        scope: Any = None,
    ) -> ModelFnOps:
        """Creates the operations of a mode.

        Args:
          features: Features by name, which include the weights.
          mode: A member of `ModeKeys`.
          labels: A tensor, or a dict of tensors.
          train_op_fn: Function from the loss to the train op. Required in mode TRAIN.
          logits: A tensor of shape [examples, logits_dimension].
          logits_input: Input of a linear layer that computes the logits, instead of `logits`.
          scope: The variable scope. None is a scope with the head's name.

        Returns:
          The `ModelFnOps`.

        Raises:
          ValueError: An argument is missing or does not match.
        """


class SingleHead(Head):
    """A head with one kind of labels. A subclass defines its predictions and metrics.

    Args:
      problem_type: A member of `ProblemType`.
      logits_dimension: Number of logits of an example.
      default_scope: Name of the scope if the head has no name.
      loss_fn: Function from labels, logits and weights to the two losses of `labels_and_losses`.
      label_name: Name of the labels, if labels are a dict.
      weight_column_name: Name of the feature with the weights.
      enable_centered_bias: If true, trains a bias separately from the model.
      head_name: Name of the head.
    """

    def __init__(
        self,
        problem_type: int,
        logits_dimension: int,
        default_scope: str,
        loss_fn: Callable[..., parts.Losses],
        label_name: str | None,
        weight_column_name: str | None,
        enable_centered_bias: bool,
        head_name: str | None,
    ) -> None:
        if logits_dimension is None or logits_dimension < 1:
            raise ValueError(f"Invalid logits_dimension {logits_dimension}.")
        self._problem_type = problem_type
        self._logits_dimension = logits_dimension
        self._default_scope = default_scope
        self._loss_fn = loss_fn
        self._label_name = label_name
        self._weight_column_name = weight_column_name
        self._enable_centered_bias = enable_centered_bias
        self._head_name = head_name

    @property
    def logits_dimension(self) -> int:
        """The number of logits of an example."""
        return self._logits_dimension

    @property
    def label_name(self) -> str | None:
        """The name of the labels, if labels are a dict."""
        return self._label_name

    @property
    def weight_column_name(self) -> str | None:
        """The name of the feature with the weights."""
        return self._weight_column_name

    @property
    def head_name(self) -> str | None:
        """The name of the head."""
        return self._head_name

    def create_model_fn_ops(
        self,
        features: dict[str, Any],
        mode: str,
        labels: Any = None,
        train_op_fn: _TrainOpFn | None = None,
        logits: Any = None,
        logits_input: tf.Tensor | None = None,
        scope: Any = None,
    ) -> ModelFnOps:
        """Creates the operations of a mode. See `Head`."""
        ModeKeys.validate(mode)
        with tf1.variable_scope(scope, default_name=self._head_name or self._default_scope):
            logits = self._logits(logits, logits_input)
            bias = self._centered_bias() if self._enable_centered_bias else None
            if bias is not None:
                logits = tf.nn.bias_add(logits, bias)
            predictions = self._predictions(logits)
            outputs = {self._head_name: (self._problem_type, self._outputs_to_export(predictions))}
            fields = {"predictions": predictions, "output_alternatives": outputs}
            if mode == ModeKeys.INFER or labels is None:
                return ModelFnOps(mode, **fields)
            labels = self._labels(labels)
            weights = parts.weights_of(features, self._weight_column_name)
            loss, loss_to_report = self._loss(labels, logits, weights)
            with tf1.name_scope(""):
                tf1.summary.scalar(self._key(MetricKey.LOSS), tf.identity(loss_to_report))
            if mode == ModeKeys.TRAIN:
                fields["train_op"] = self._train_op(
                    loss, labels, weights, train_op_fn, bias, logits
                )
            with tf.name_scope("metrics"):
                metrics = {
                    MetricKey.LOSS: tf1.metrics.mean(loss_to_report),
                    **self._metrics(predictions, labels, weights),
                }
            metrics = {self._key(name): metric for name, metric in metrics.items()}
            return ModelFnOps(mode, loss=loss, eval_metric_ops=metrics, **fields)

    @abc.abstractmethod
    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns the predictions by name."""

    @abc.abstractmethod
    def _metrics(self, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        """Returns the metrics by name, without the loss."""

    def _labels(self, labels: Any) -> Any:
        return parts.dense_labels(labels, self._label_name)

    def _loss(self, labels: Any, logits: tf.Tensor, weights: Any) -> parts.Losses:
        return self._loss_fn(labels, logits, weights)

    def _outputs_to_export(self, predictions: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
        return predictions

    def _key(self, name: str) -> str:
        return f"{name}/{self._head_name}" if self._head_name else name

    def _logits(self, logits: Any, logits_input: Any) -> tf.Tensor:
        if (logits is None) == (logits_input is None):
            raise ValueError("Exactly one of logits and logits_input must be supplied.")
        if logits is None:
            return contrib.layers.linear(logits_input, self._logits_dimension, scope="logits")
        logits = tf.convert_to_tensor(logits, name="logits")
        if logits.shape.rank is not None:
            logits.shape[-1:].assert_is_compatible_with([self._logits_dimension])
        return logits

    def _centered_bias(self) -> tf.Variable:
        # Not created by get_variable, because the model's partitioner would split the bias.
        bias = tf1.Variable(tf.zeros([self._logits_dimension]), name="centered_bias_weight")
        for i in range(self._logits_dimension):
            tf1.summary.scalar(self._key(f"centered_bias/bias_{i}"), bias[i])
        return bias

    def _train_op(
        self,
        loss: tf.Tensor,
        labels: Any,
        weights: Any,
        train_op_fn: _TrainOpFn | None,
        bias: Any,
        logits: tf.Tensor,
    ) -> Any:
        if train_op_fn is None:
            raise ValueError("train_op_fn can not be None in TRAIN mode")
        step = None
        if bias is not None:
            bias_logits = tf.tile(bias[tf.newaxis, :], [tf.shape(logits)[0], 1])
            # A pair: the training loss and the reported loss. The bias minimizes their mean.
            losses = self._loss(labels, bias_logits, weights)
            optimizer = tf1.train.AdagradOptimizer(_CENTERED_BIAS_RATE)
            step = optimizer.minimize(tf.reduce_mean(losses), var_list=[bias])
        with tf.name_scope("train_op"):
            train_op = train_op_fn(loss)
        return train_op if step is None else tf.group(train_op, step)
