"""Objectives of the heads of both APIs: labels, loss and export outputs for one kind of label.

A head inherits from an objective and from the `SingleHead` of its API:

>>> from legacy.estimator import heads
>>> from legacy.estimator.heads import v1
>>> [isinstance(x, Regression) for x in (heads.RegressionHead(), v1.regression_head())]
[True, True]
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.export.outputs import ClassificationOutput, PredictOutput, RegressionOutput
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.checks import (
    LABELS_MISSING,
    call_loss_fn,
    check_dense_labels_match_logits_and_reshape,
    check_label_range,
)
from legacy.estimator.heads.classes import Vocabulary, class_predictions, classification_output
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.weights import get_weights_and_check_match_logits

tf1 = tf.compat.v1

DEFAULT_SERVING_KEY = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
CLASSIFY_SERVING_KEY = "classification"
REGRESS_SERVING_KEY = "regression"
PREDICT_SERVING_KEY = "predict"

CLASS_KEYS = (
    PredictionKeys.PROBABILITIES,
    PredictionKeys.CLASS_IDS,
    PredictionKeys.CLASSES,
    PredictionKeys.ALL_CLASS_IDS,
    PredictionKeys.ALL_CLASSES,
)
BINARY_CLASS_KEYS = (PredictionKeys.LOGITS, PredictionKeys.LOGISTIC, *CLASS_KEYS)


@documented(
    argument_texts.SHARED,
    weight_kind="dense column",
    loss_reduction="Reduction of the loss, one of the API's.",
    loss_dimension="loss_dimension",
)
class Objective(abc.ABC):
    """Base class of the objectives.

    {args}
    """

    _loss_dimension = 1
    _weights_per_logit = False
    # Function of (labels, n_classes, message) that checks labels and returns them.
    _checked_range = staticmethod(check_label_range)

    def __init__(
        self,
        weight_column: Any,
        loss_reduction: str,
        loss_fn: Callable[..., Any] | None,
        name: str | None,
    ) -> None:
        self._check(loss_reduction, loss_fn)
        self._weight_column = weight_column
        self._loss_reduction = loss_reduction
        self._loss_fn = loss_fn
        self._name = name

    @property
    def name(self) -> str | None:
        """Name of the head. See the base class."""
        return self._name

    @abc.abstractmethod
    def _check(self, loss_reduction: str, loss_fn: Callable[..., Any] | None) -> None:
        """Checks the arguments whose valid values differ between the APIs."""

    @abc.abstractmethod
    def _processed_labels(self, logits: tf.Tensor, labels: Any) -> tf.Tensor:
        """Returns the labels as numbers that match the logits."""

    @abc.abstractmethod
    def _default_loss(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        """Returns the loss, [D0, ..., DN, loss_dimension]."""

    @abc.abstractmethod
    def _export_outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        """Returns the export outputs by signature name."""

    def _unweighted_loss_and_weights(
        self, logits: tf.Tensor, labels: tf.Tensor, features: Any
    ) -> tuple[tf.Tensor, Any]:
        if self._loss_fn:
            loss = call_loss_fn(self._loss_fn, labels, logits, features, self._loss_dimension)
        else:
            loss = self._default_loss(labels, logits)
        weights = get_weights_and_check_match_logits(
            features, self._weight_column, logits, self._weights_per_logit
        )
        return loss, weights


class Regression(Objective):
    """Numbers with the squared error as the loss."""

    _weights_per_logit = True

    def _set_dimension(self, label_dimension: int, inverse_link_fn: Any) -> None:
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}. It must be at least 1.")
        self._logits_dimension = self._loss_dimension = label_dimension
        self._inverse_link_fn = inverse_link_fn

    @property
    def logits_dimension(self) -> int:
        """Number of labels per example."""
        return self._logits_dimension

    def _processed_labels(self, logits: tf.Tensor, labels: Any) -> tf.Tensor:
        labels = check_dense_labels_match_logits_and_reshape(labels, logits, self._logits_dimension)
        return tf.cast(labels, tf.float32)

    def _default_loss(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        return tf1.losses.mean_squared_error(labels, logits, reduction=tf1.losses.Reduction.NONE)

    def _predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        if not self._inverse_link_fn:
            return {PredictionKeys.PREDICTIONS: logits}
        return {
            PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits),
            PredictionKeys.LOGITS: logits,
        }

    def _export_outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        value = RegressionOutput(predictions[PredictionKeys.PREDICTIONS])
        return {
            DEFAULT_SERVING_KEY: value,
            REGRESS_SERVING_KEY: value,
            PREDICT_SERVING_KEY: PredictOutput(predictions),
        }


class _Classification(Objective):
    def _set_classes(self, n_classes: Any, label_vocabulary: Sequence[str] | None) -> None:
        self._n_classes = n_classes
        self._label_vocabulary = label_vocabulary
        self._vocabulary = Vocabulary(label_vocabulary)

    @property
    def logits_dimension(self) -> int:
        """Number of classes."""
        return self._n_classes

    def _scores(self, predictions: Mapping[str, tf.Tensor]) -> ClassificationOutput:
        return classification_output(
            predictions[PredictionKeys.PROBABILITIES], self._n_classes, self._label_vocabulary
        )

    def _export_outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        scores = self._scores(predictions)
        return {
            DEFAULT_SERVING_KEY: scores,
            CLASSIFY_SERVING_KEY: scores,
            PREDICT_SERVING_KEY: PredictOutput(predictions),
        }


class BinaryClass(_Classification):
    """One of two classes, with a single logit. The loss is the sigmoid cross entropy."""

    @property
    def logits_dimension(self) -> int:
        """Always 1: the logit of the second class."""
        return 1

    def _processed_labels(self, logits: tf.Tensor, labels: Any) -> tf.Tensor:
        labels = check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = self._vocabulary.ids(labels)
        return self._checked_range(tf.cast(labels, tf.float32), 2)

    def _default_loss(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _binary_predictions(self, logits: tf.Tensor, keys: Sequence[str]) -> dict[str, tf.Tensor]:
        predictions = {}
        if PredictionKeys.LOGITS in keys:
            predictions[PredictionKeys.LOGITS] = logits
        if PredictionKeys.LOGISTIC in keys:
            predictions[PredictionKeys.LOGISTIC] = tf.sigmoid(logits, name=PredictionKeys.LOGISTIC)
        # The softmax of (0, x) is (1 - sigmoid(x), sigmoid(x)).
        two_class_logits = tf.concat(
            (tf.zeros_like(logits), logits), axis=-1, name="two_class_logits"
        )
        return {**predictions, **class_predictions(two_class_logits, 2, self._vocabulary, keys)}

    def _export_outputs(self, predictions: Mapping[str, tf.Tensor]) -> dict[str, Any]:
        scores = self._scores(predictions)
        return {
            DEFAULT_SERVING_KEY: scores,
            CLASSIFY_SERVING_KEY: scores,
            REGRESS_SERVING_KEY: RegressionOutput(predictions[PredictionKeys.LOGISTIC]),
            PREDICT_SERVING_KEY: PredictOutput(predictions),
        }


class MultiClass(_Classification):
    """One of several classes. The loss is the softmax cross entropy."""

    def _processed_labels(self, logits: tf.Tensor, labels: Any) -> tf.Tensor:
        labels = check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        return self._checked_range(_class_ids(labels, self._vocabulary), self._n_classes)

    def _default_loss(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        losses = tf1.losses.sparse_softmax_cross_entropy(
            labels=labels, logits=logits, reduction=tf1.losses.Reduction.NONE
        )
        return tf.expand_dims(losses, -1)


class MultiLabel(_Classification):
    """Any number of several classes. The loss is the mean sigmoid cross entropy over the classes.

    Labels are a SparseTensor of the classes of each example: integers, or strings if there is a
    vocabulary. Or they are a dense tensor of 0 and 1 in the shape of the logits.
    """

    def _processed_labels(self, logits: tf.Tensor, labels: Any) -> tf.Tensor:
        """Returns an integer tensor of 0 and 1, [D0, ..., DN, n_classes]."""
        if labels is None:
            raise ValueError(LABELS_MISSING)
        if isinstance(labels, tf.SparseTensor):
            labels = _indicators(labels, self._n_classes, self._vocabulary)
        else:
            message = "labels must be an integer indicator Tensor with values in [0, 1]"
            labels = check_label_range(labels, 2, message)
        return check_dense_labels_match_logits_and_reshape(labels, logits, self._n_classes)

    def _default_loss(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        losses = tf1.losses.sigmoid_cross_entropy(
            multi_class_labels=labels, logits=logits, reduction=tf1.losses.Reduction.NONE
        )
        return tf.reduce_mean(losses, axis=-1, keepdims=True)


def _class_ids(labels: tf.Tensor, vocabulary: Vocabulary) -> tf.Tensor:
    """Converts labels to class indices, in the same shape."""
    if vocabulary.words is None:
        if not labels.dtype.is_integer:
            raise ValueError(
                f"Labels dtype should be integer. Instead got {labels.dtype}. Labels that are "
                "names of classes need a label_vocabulary."
            )
        return labels
    if labels.dtype != tf.string:
        raise ValueError(
            f"Labels dtype should be string if there is a vocabulary. Instead got {labels.dtype}"
        )
    return vocabulary.ids(labels)


def _indicators(labels: tf.SparseTensor, n_classes: int, vocabulary: Vocabulary) -> tf.Tensor:
    """Converts sparse labels to a tensor of 0 and 1, [D0, ..., DN, n_classes]."""
    values = labels.values
    if labels.dtype == tf.string:
        values = vocabulary.ids(values)
    else:
        if not values.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {values.dtype}.")
        values = check_label_range(
            values,
            n_classes,
            f"labels must be an integer SparseTensor with values in [0, {n_classes})",
        )
    ids = tf.SparseTensor(labels.indices, values, labels.dense_shape)
    return tf.cast(tf.sparse.to_indicator(ids, n_classes), tf.int64)
