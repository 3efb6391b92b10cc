"""Head: from logits to ModelFnOps; and what is common to heads with one kind of labels.

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
    """From logits, or what comes before them, to ModelFnOps."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """How many logits an example has."""

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
        """Makes the operations of a mode.

        Args:
          features: By name; for the weights.
          mode: One of `ModeKeys`.
          labels: A tensor, or a dict of these.
          train_op_fn: From the loss to the train op; required in mode TRAIN.
          logits: A tensor of [examples, logits_dimension].
          logits_input: In place of logits: what a linear layer makes them from.
          scope: The variable scope; None is one of the head's name.

        Returns:
          The `ModelFnOps`.

        Raises:
          ValueError: An argument is missing or does not fit.
        """


class SingleHead(Head):
    """A head with one kind of labels. A subclass says what its loss, predictions and metrics are.

    Args:
      problem_type: One of `ProblemType`.
      logits_dimension: How many logits an example has.
      default_scope: The scope's name where the head has none.
      loss_fn: From labels, logits and weights to the two losses of `head_parts`.
      label_name: Which labels, where they are a dict.
      weight_column_name: Which feature holds the weights.
      enable_centered_bias: Train a bias apart from the model.
      head_name: The name.
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
        """How many logits an example has."""
        return self._logits_dimension

    @property
    def label_name(self) -> str | None:
        """Which labels, where they are a dict."""
        return self._label_name

    @property
    def weight_column_name(self) -> str | None:
        """Which feature holds the weights."""
        return self._weight_column_name

    @property
    def head_name(self) -> str | None:
        """The name."""
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
        """Makes the operations of a mode; see `Head`."""
        ModeKeys.validate(mode)
        with tf1.variable_scope(scope, default_name=self._head_name or self._default_scope):
            logits = self._logits(logits, logits_input)
            bias = self._centered_bias() if self._enable_centered_bias else None
            if bias is not None:
                logits = tf.nn.bias_add(logits, bias)
            predictions = self._predictions(logits)
            outputs = {self._head_name: (self._problem_type, self._exported(predictions))}
            made = {"predictions": predictions, "output_alternatives": outputs}
            if mode == ModeKeys.INFER or labels is None:
                return ModelFnOps(mode, **made)
            labels = self._labels(labels)
            weights = parts.weights_of(features, self._weight_column_name)
            loss, reported = self._loss(labels, logits, weights)
            with tf1.name_scope(""):
                tf1.summary.scalar(self._key(MetricKey.LOSS), tf.identity(reported))
            if mode == ModeKeys.TRAIN:
                made["train_op"] = self._train_op(loss, labels, weights, train_op_fn, bias, logits)
            with tf.name_scope("metrics"):
                metrics = {
                    MetricKey.LOSS: tf1.metrics.mean(reported),
                    **self._metrics(predictions, labels, weights),
                }
            metrics = {self._key(name): metric for name, metric in metrics.items()}
            return ModelFnOps(mode, loss=loss, eval_metric_ops=metrics, **made)

    @abc.abstractmethod
    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns the predictions by name."""

    @abc.abstractmethod
    def _metrics(self, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        """Returns the metrics beside the loss, by name."""

    def _labels(self, labels: Any) -> Any:
        return parts.dense_labels(labels, self._label_name)

    def _loss(self, labels: Any, logits: tf.Tensor, weights: Any) -> parts.Losses:
        return self._loss_fn(labels, logits, weights)

    def _exported(self, predictions: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
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
        # Not by get_variable: the model's partitioner would split it.
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
            alone = tf.tile(bias[tf.newaxis, :], [tf.shape(logits)[0], 1])
            losses = self._loss(labels, alone, weights)
            optimizer = tf1.train.AdagradOptimizer(_CENTERED_BIAS_RATE)
            step = optimizer.minimize(tf.reduce_mean(losses), var_list=[bias])
        with tf.name_scope("train_op"):
            train_op = train_op_fn(loss)
        return train_op if step is None else tf.group(train_op, step)
