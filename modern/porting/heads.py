"""Heads of canned Estimators as Keras models: loss, metrics, predictions and signatures.

>>> import tensorflow as tf
>>> import tf_keras as keras
>>> model = Regressor(keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")]))
>>> model.compile(keras.optimizers.SGD(0.1))
>>> data = tf.data.Dataset.from_tensors((tf.ones([2, 3]), tf.constant([1.0, 3.0])))
>>> model.evaluate(data, verbose=0, return_dict=True)["average_loss"]
2.0
>>> sorted(model.predict(data, verbose=0))
['predictions']

Compile a head with an optimizer alone. Its metrics and predictions have the names and values that
an Estimator reported. Ported programs import this module.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from modern.porting import added_metrics
from modern.process.chosen_keras import keras


class Head(keras.Model, abc.ABC):
    """A model from features to logits, trained as a canned Estimator trained it.

    Args:
      logits: A model or a layer from features to logits (batch, units). None for a subclass with
        its own `call`, which returns logits, or a dict of outputs with "logits".
      weight_column: The feature with the weights of the examples. None weights all equally.
      loss_reduction: The reduction of a batch's losses: "sum_over_batch_size", a mean, or "sum".
      name: The name of the model.
      penalties: If true, training also minimizes the penalties of layers, such as those of
        regularizers.
      head_name: A suffix of the names of metrics, as in "average_loss/head". The loss has none.
    """

    reports_added_metrics = True  # Those of `porting.add_metrics`.

    def __init__(
        self,
        logits: keras.layers.Layer | None = None,
        weight_column: str | None = None,
        loss_reduction: str = "sum_over_batch_size",
        name: str | None = None,
        penalties: bool = True,
        head_name: str | None = None,
    ) -> None:
        super().__init__(name=name, autocast=False)  # Features keep their types.
        if loss_reduction not in ("sum", "sum_over_batch_size"):
            raise ValueError(
                f"loss_reduction must be 'sum' or 'sum_over_batch_size', not {loss_reduction!r}."
            )
        if logits is not None:
            self._logits = logits
            self.built = logits.built  # All variables exist and can be restored.
        self._weight_column, self._is_sum = weight_column, loss_reduction == "sum"
        self._has_penalties = penalties
        self._suffix = f"/{head_name}" if head_name else ""
        kinds = keras.metrics
        self._reports = _Reports(kinds.Mean("loss"), kinds.Mean("average_loss"))

    @property
    def metrics(self) -> list[keras.metrics.Metric]:
        """The metrics that `evaluate` reports."""
        return [*super().metrics, *self._reports.by_name.values()]

    def call(self, features: Any, training: bool | None = None) -> tf.Tensor:
        """Returns logits (batch, units) for features."""
        return self._logits(features, training=training)

    def train_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Runs one step. Returns the loss alone, as an Estimator's training reports it."""
        features, labels, _ = keras.utils.unpack_x_y_sample_weight(data)
        with tf.GradientTape() as tape:
            logits = _logits_of(self(features, training=True))
            loss = self._unpenalized_loss(features, labels, logits)
            training_loss = self._training_loss(loss)
        gradients = tape.gradient(training_loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        self._reports.update("loss", loss)
        return {"loss": self._reports.by_name["loss"].result()}

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None
    ) -> tf.Tensor:
        """Returns the loss that a training step minimizes, from features, labels and logits."""
        return self._training_loss(self._unpenalized_loss(x, y, _logits_of(y_pred)))

    def _unpenalized_loss(self, features: Any, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        """Returns the loss without the penalties of layers, as an Estimator reports it."""
        losses = self._loss_of_each(self._numeric_labels(features, labels, logits), logits)
        return self._reduce(losses, self._example_weights(features, logits))

    def _training_loss(self, loss: tf.Tensor) -> tf.Tensor:
        # Keras adds up the gradients of the replicas. An Estimator did the same for a sum, but took
        # the mean over replicas for a mean loss (seen in TensorFlow 2.15).
        replicas = 1 if self._is_sum else tf.distribute.get_strategy().num_replicas_in_sync
        return tf.add_n([loss, *(self.losses if self._has_penalties else [])]) / replicas

    def test_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Returns all metrics.

        `loss` is the mean over batches, `average_loss` the mean over examples.
        """
        features, original_labels, _ = keras.utils.unpack_x_y_sample_weight(data)
        logits = _logits_of(self(features, training=False))
        labels = self._numeric_labels(features, original_labels, logits)
        weights = self._example_weights(features, logits)
        losses = self._loss_of_each(labels, logits)
        self._reports.update("loss", self._reduce(losses, weights))
        self._reports.update("average_loss", losses, sample_weight=weights)
        self._update_metrics(labels, logits, weights)
        results = {metric.name: metric.result() for metric in super().metrics}
        for name, metric in self._reports.by_name.items():
            results[name if name == "loss" else f"{name}{self._suffix}"] = metric.result()
        return results | added_metrics.results(
            self, features, original_labels, lambda: self.predictions(logits)
        )

    def predict_step(self, data: Any) -> dict[str, tf.Tensor]:
        """Returns the predictions by name."""
        features, _, _ = keras.utils.unpack_x_y_sample_weight(data)
        return self.predictions(_logits_of(self(features, training=False)))

    @abc.abstractmethod
    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns the predictions of Estimator.predict by name, from logits."""

    @abc.abstractmethod
    def signatures(self, features: Any) -> dict[str, dict[str, tf.Tensor]]:
        """Returns the outputs of each signature of an exported Estimator, by name, from features.

        The APIs Classify and Regress of TensorFlow Serving need another kind of signatures.
        """

    @abc.abstractmethod
    def _labels(self, labels: tf.Tensor) -> tf.Tensor:
        """Returns labels (batch, n) as numbers for the losses."""

    @abc.abstractmethod
    def _loss_of_each(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        """Returns the loss of each number, (batch, n)."""

    @abc.abstractmethod
    def _update_metrics(self, labels: tf.Tensor, logits: tf.Tensor, weights: tf.Tensor) -> None:
        """Adds a batch to the metrics. Labels and weights are (batch, n)."""

    def _label_dimension(self, logits: tf.Tensor) -> int:
        return 1

    def prepare_labels(self, features: Any, labels: tf.Tensor) -> tf.Tensor:
        """Returns the labels of the loss and the metrics. A subclass may change them."""
        return labels

    def _numeric_labels(self, features: Any, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        labels = self.prepare_labels(features, labels)
        if labels.shape.rank == 1:
            labels = labels[:, tf.newaxis]
        shape = [None, self._label_dimension(logits)]
        if not labels.shape.is_compatible_with(shape):
            raise ValueError(f"Labels must have the shape {shape}, not {labels.shape}.")
        return self._labels(tf.ensure_shape(labels, shape))

    def _example_weights(self, features: Any, logits: tf.Tensor) -> tf.Tensor:
        if self._weight_column is None:
            return tf.ones([tf.shape(logits)[0], 1])
        weights = tf.cast(features[self._weight_column], tf.float32)
        return weights[:, tf.newaxis] if weights.shape.rank == 1 else weights

    def _reduce(self, losses: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
        total = tf.reduce_sum(losses * weights)
        return total if self._is_sum else total / tf.cast(tf.size(losses), total.dtype)


class Regressor(Head):
    """Predicts numbers. The loss is the squared error, and the arguments are those of `Head`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("prediction/mean", "label/mean"):
            self._reports.add(keras.metrics.Mean(name))

    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns `predictions`, the unchanged logits."""
        return {"predictions": logits}

    def signatures(self, features: Any) -> dict[str, dict[str, tf.Tensor]]:
        """Returns the signatures serving_default, regression and predict."""
        predictions = self.predictions(_logits_of(self(features, training=False)))
        regression = {"outputs": predictions["predictions"]}
        return {"serving_default": regression, "regression": regression, "predict": predictions}

    def _label_dimension(self, logits: tf.Tensor) -> int:
        return logits.shape[-1]

    def _labels(self, labels: tf.Tensor) -> tf.Tensor:
        return tf.cast(labels, tf.float32)

    def _loss_of_each(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        return tf.math.squared_difference(logits, labels)

    def _update_metrics(self, labels: tf.Tensor, logits: tf.Tensor, weights: tf.Tensor) -> None:
        weights *= tf.ones_like(logits)
        self._reports.update("prediction/mean", logits, sample_weight=weights)
        self._reports.update("label/mean", labels, sample_weight=weights)


class Classifier(Head):
    """Predicts one of three or more classes. The loss is the cross entropy.

    Args:
      logits: A model or a layer as in `Head`, with one unit for each class.
      weight_column: The feature with the weights of the examples, as in `Head`.
      label_vocabulary: The names of the classes in order, if labels are names.
      loss_reduction: The reduction of a batch's losses, as in `Head`.
      name: The name of the model.
      **kwargs: Other arguments of `Head`.
    """

    def __init__(
        self,
        logits: keras.layers.Layer | None = None,
        weight_column: str | None = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: str = "sum_over_batch_size",
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(logits, weight_column, loss_reduction, name, **kwargs)
        self._vocabulary = tuple(label_vocabulary or ())
        self._reports.add(keras.metrics.Accuracy("accuracy"))

    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns logits, probabilities, class_ids, classes, all_class_ids and all_classes."""
        return {"logits": logits, **self._of_classes(logits)}

    def signatures(self, features: Any) -> dict[str, dict[str, tf.Tensor]]:
        """Returns the signatures serving_default, classification and predict."""
        predictions = self.predictions(_logits_of(self(features, training=False)))
        scores = {"scores": predictions["probabilities"], "classes": predictions["all_classes"]}
        return {"serving_default": scores, "classification": scores, "predict": predictions}

    def _of_classes(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns the predictions of classes, from a logit for each, (batch, classes)."""
        ids = tf.range(logits.shape[-1])
        names = tf.constant(self._vocabulary) if self._vocabulary else tf.strings.as_string(ids)
        batch = tf.shape(logits)[0]
        class_ids = tf.argmax(logits, axis=-1)[:, tf.newaxis]
        return {
            "probabilities": tf.nn.softmax(logits),
            "class_ids": class_ids,
            "classes": tf.gather(names, class_ids),
            "all_class_ids": tf.tile(ids[tf.newaxis], [batch, 1]),
            "all_classes": tf.tile(names[tf.newaxis], [batch, 1]),
        }

    def _labels(self, labels: tf.Tensor) -> tf.Tensor:
        if not self._vocabulary:
            return labels
        same = tf.equal(labels, tf.constant(self._vocabulary))
        message = "A label is not in label_vocabulary."
        check = tf.debugging.assert_equal(tf.reduce_all(tf.reduce_any(same, -1)), True, message)
        with tf.control_dependencies([check] if check is not None else []):
            return tf.argmax(tf.cast(same, tf.int32), axis=-1)[:, tf.newaxis]

    def _loss_of_each(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels[:, 0], logits)
        return losses[:, tf.newaxis]

    def _update_metrics(self, labels: tf.Tensor, logits: tf.Tensor, weights: tf.Tensor) -> None:
        class_ids = self.predictions(logits)["class_ids"]
        self._reports.update("accuracy", labels, class_ids, sample_weight=weights)


class MultiLabelClassifier(Head):
    """Predicts for each class whether it applies. The loss is the mean over classes.

    Labels are (batch, classes), 1 for classes that apply.

    Args:
      *args: Arguments of `Head`, whose logits have one unit for each class.
      pr_summation: The method of auc_precision_recall, as in `BinaryClassifier`.
      **kwargs: Arguments of `Head`.
    """

    def __init__(self, *args: Any, pr_summation: str = "interpolation", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        area = _TrapezoidalPR if pr_summation == "trapezoidal" else keras.metrics.AUC
        self._reports.add(keras.metrics.AUC(name="auc"))
        self._reports.add(area(curve="PR", name="auc_precision_recall"))

    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns logits and probabilities."""
        return {"logits": logits, "probabilities": tf.sigmoid(logits)}

    def signatures(self, features: Any) -> dict[str, dict[str, tf.Tensor]]:
        """Returns the signatures serving_default, classification and predict."""
        predictions = self.predictions(_logits_of(self(features, training=False)))
        scores = predictions["probabilities"]
        names = tf.strings.as_string(tf.range(scores.shape[-1]))
        classes = tf.tile(names[tf.newaxis], [tf.shape(scores)[0], 1])
        outputs = {"scores": scores, "classes": classes}
        return {"serving_default": outputs, "classification": outputs, "predict": predictions}

    def _label_dimension(self, logits: tf.Tensor) -> int:
        return logits.shape[-1]

    def _labels(self, labels: tf.Tensor) -> tf.Tensor:
        return tf.cast(labels, tf.float32)

    def _loss_of_each(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels, logits)
        return tf.reduce_mean(losses, axis=-1, keepdims=True)

    def _update_metrics(self, labels: tf.Tensor, logits: tf.Tensor, weights: tf.Tensor) -> None:
        probabilities = self.predictions(logits)["probabilities"]
        for name in ("auc", "auc_precision_recall"):
            self._reports.update(name, labels, probabilities, sample_weight=weights)


class BinaryClassifier(Classifier):
    """Predicts one of two classes, from one logit. Labels are in [0, 1].

    Args:
      *args: Arguments of `Classifier`.
      pr_summation: The method of auc_precision_recall: "interpolation", or "trapezoidal" as in the
        estimators of TensorFlow 1, which overestimates the area if there are few examples.
      **kwargs: Arguments of `Classifier`.
    """

    def __init__(self, *args: Any, pr_summation: str = "interpolation", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = keras.metrics
        area = _TrapezoidalPR if pr_summation == "trapezoidal" else kinds.AUC
        for metric in (
            kinds.Precision(name="precision"),
            kinds.Recall(name="recall"),
            kinds.Mean("prediction/mean"),
            kinds.Mean("label/mean"),
            _AccuracyBaseline("accuracy_baseline"),
            kinds.AUC(name="auc"),
            area(curve="PR", name="auc_precision_recall"),
        ):
            self._reports.add(metric)

    def predictions(self, logits: tf.Tensor) -> dict[str, tf.Tensor]:
        """Returns the predictions of `Classifier`, and `logistic`.

        `logistic` is the probability of the second class. `logits` are the unchanged logits, with
        one column.
        """
        both = tf.concat([tf.zeros_like(logits), logits], axis=-1)
        return {"logits": logits, "logistic": tf.sigmoid(logits), **self._of_classes(both)}

    def signatures(self, features: Any) -> dict[str, dict[str, tf.Tensor]]:
        """Returns the signatures serving_default, classification, regression and predict."""
        signatures = super().signatures(features)
        return {**signatures, "regression": {"outputs": signatures["predict"]["logistic"]}}

    def _labels(self, labels: tf.Tensor) -> tf.Tensor:
        labels = tf.cast(super()._labels(labels), tf.float32)
        message = "Labels of two classes are in [0, 1]."
        checks = [
            tf.debugging.assert_non_negative(labels, message),
            tf.debugging.assert_less_equal(labels, 1.0, message),
        ]
        with tf.control_dependencies([check for check in checks if check is not None]):
            return tf.identity(labels)

    def _loss_of_each(self, labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
        return tf.nn.sigmoid_cross_entropy_with_logits(labels, logits)

    def _update_metrics(self, labels: tf.Tensor, logits: tf.Tensor, weights: tf.Tensor) -> None:
        super()._update_metrics(labels, logits, weights)
        predictions = self.predictions(logits)
        for name in ("precision", "recall"):
            self._reports.update(name, labels, predictions["class_ids"], sample_weight=weights)
        for name in ("auc", "auc_precision_recall"):
            self._reports.update(name, labels, predictions["logistic"], sample_weight=weights)
        for name in ("label/mean", "accuracy_baseline"):
            self._reports.update(name, labels, sample_weight=weights)
        self._reports.update("prediction/mean", predictions["logistic"], sample_weight=weights)


def classifier(
    n_classes: int, *args: Any, pr_summation: str = "interpolation", **kwargs: Any
) -> Classifier:
    """Returns a `BinaryClassifier` for two classes, and a `Classifier` for more.

    Args:
      n_classes: The number of classes.
      *args: Arguments of `Classifier`. The logits have `units(n_classes)` units.
      pr_summation: The method of auc_precision_recall, as in `BinaryClassifier`.
      **kwargs: Arguments of `Classifier`.
    """
    if n_classes == 2:
        return BinaryClassifier(*args, pr_summation=pr_summation, **kwargs)
    return Classifier(*args, **kwargs)


def units(n_classes: int) -> int:
    """Returns the number of logits of a `classifier`: two classes have a single one."""
    return 1 if n_classes == 2 else n_classes


def _logits_of(outputs: Any) -> tf.Tensor:
    return outputs["logits"] if isinstance(outputs, dict) else outputs


class _Reports:
    """Metrics by name. Keras does not track them here, so they are in no checkpoint."""

    def __init__(self, *metrics: keras.metrics.Metric) -> None:
        self.by_name = {metric.name: metric for metric in metrics}

    def add(self, metric: keras.metrics.Metric) -> None:
        self.by_name[metric.name] = metric

    def update(self, name: str, *args: Any, **kwargs: Any) -> None:
        self.by_name[name].update_state(*args, **kwargs)


class _AccuracyBaseline(keras.metrics.Mean):
    """The accuracy of always predicting the more frequent class, from labels."""

    def result(self) -> tf.Tensor:
        """Returns the accuracy, 0 before the first label."""
        return tf.math.divide_no_nan(tf.maximum(self.total, self.count - self.total), self.count)


class _TrapezoidalPR(keras.metrics.AUC):
    """The area under precision by recall, as in tf.compat.v1.metrics.auc."""

    def result(self) -> tf.Tensor:
        """Returns the area."""
        # As in tf.compat.v1.metrics.auc.
        epsilon = 1e-6
        hits = self.true_positives + epsilon
        recall = hits / (self.true_positives + self.false_negatives + epsilon)
        precision = hits / (self.true_positives + self.false_positives + epsilon)
        heights = (precision[:-1] + precision[1:]) / 2
        return tf.reduce_sum((recall[:-1] - recall[1:]) * heights)
