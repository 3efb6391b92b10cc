"""MultiHead, which combines several heads over one model.

>>> from legacy.estimator import heads
>>> head = heads.MultiHead([heads.RegressionHead(name="price"), heads.BinaryClassHead(name="sold")])
>>> head.name, head.logits_dimension
('price_sold', 2)

Logits are a dict by head name, or one tensor that is split along its last dimension. Labels are a
dict by head name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.merged_heads import MergedHeads
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.v2 import base_head
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.MULTI | argument_texts.V2


@documented(_TEXTS)
class MultiHead(MergedHeads, base_head.Head):
    """Adds up the losses of several heads and merges their predictions, metrics and exports.

    The keys of predictions are pairs (name of the head, name of the prediction). The keys of export
    outputs are the head's name, or the head's name, a slash and the signature name, such as
    "price/predict". The first head provides the default serving signature.

    {args}

    Raises:
      ValueError: If `heads` is empty, if a head has no name, or if the number of weights differs
        from the number of heads.
    """

    @property
    def loss_reduction(self) -> str:
        """Common loss reduction of the heads.

        Raises:
          ValueError: If the heads have different reductions.
        """
        reductions = [head.loss_reduction for head in self._heads]
        if len(set(reductions)) > 1:
            raise ValueError(
                f"The loss_reduction must be the same for different heads. Given: {reductions}"
            )
        return reductions[0]

    def _by_head(self, logits: Any, labels: Any = None) -> Mapping[str, Any]:
        """Returns the logits by head name, after checking the names in logits and labels."""
        if isinstance(logits, dict):
            self._check_names(logits, "logits")
        else:
            logits = self._split(logits)
        if labels is not None:
            if not isinstance(labels, dict):
                raise ValueError(f"labels must be a dict. Given: {labels}")
            self._check_names(labels, "labels")
        return logits

    def _check_names(self, values: Mapping[str, Any], description: str) -> None:
        missing = [head.name for head in self._heads if head.name not in values]
        if missing:
            raise ValueError(f"{description} has missing values for head(s): {missing}")

    def loss(
        self,
        labels: Any,
        logits: Any,
        features: Any = None,
        mode: str | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> tf.Tensor:
        """Returns the weighted sum of the heads' losses. See the base class."""
        logits = self._by_head(logits, labels)
        losses = [
            head.loss(
                logits=logits[head.name], labels=labels[head.name], features=features, mode=mode
            )
            for head in self._heads
        ]
        with tf1.name_scope(None, "merge_losses", (*losses, *self._head_weights)):
            return base_head.regularized(self._weighted_sum(losses), regularization_losses)

    @documented(_TEXTS, keys="Ignored, as in the original.")
    def predictions(
        self, logits: Any, keys: Sequence[str] | None = None
    ) -> dict[tuple[str, str], tf.Tensor]:
        """Returns the predictions of all heads.

        {args}

        Returns:
          The predictions by (name of the head, name of the prediction).
        """
        del keys
        logits = self._by_head(logits)
        with tf1.name_scope("merge_pred"):
            return {
                (head.name, key): value
                for head in self._heads
                for key, value in head.predictions(logits=logits[head.name]).items()
            }

    def metrics(
        self, regularization_losses: Sequence[tf.Tensor] | None = None
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Creates the metrics of the heads' losses. `update_metrics` adds the heads' own metrics.

        See the base class.
        """
        eval_metrics = {}
        if regularization_losses is not None:
            name = MetricKeys.LOSS_REGULARIZATION
            eval_metrics[self._summary_key(name)] = tf_keras.metrics.Mean(name=name)
        with tf1.name_scope("merge_eval"):
            for head in self._heads:
                name = f"{MetricKeys.LOSS}/{head.name}"
                eval_metrics[name] = tf_keras.metrics.Mean(name=name)
        return eval_metrics

    def update_metrics(
        self,
        eval_metrics: dict[str, tf_keras.metrics.Metric],
        features: Any,
        logits: Any,
        labels: Any,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Updates metrics with a batch, and adds the heads' own metrics. See the base class."""
        logits = self._by_head(logits, labels)
        if regularization_losses is not None:
            eval_metrics[self._summary_key(MetricKeys.LOSS_REGULARIZATION)].update_state(
                base_head.summed(regularization_losses)
            )
        for head in self._heads:
            of_head = {"logits": logits[head.name], "labels": labels[head.name]}
            eval_metrics[f"{MetricKeys.LOSS}/{head.name}"].update_state(
                head.loss(features=features, **of_head)
            )
            head_metrics = head.update_metrics(head.metrics(), features, **of_head)
            eval_metrics.update(head_metrics or {})
        return eval_metrics

    @documented(_TEXTS)
    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        trainable_variables: Sequence[Any] | None = None,
        train_op_fn: Callable[[tf.Tensor], Any] | None = None,
        update_ops: Sequence[Any] | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec for the mode. See the base class.

        {args}

        Returns:
          An EstimatorSpec.

        Raises:
          ValueError: If the mode is not one of `ModeKeys`, or if an argument is invalid.
        """
        with tf1.name_scope(self.name, "multi_head"):
            specs = self._specs(features, mode, self._by_head(logits, labels), labels)
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                outputs = self._merged_export_outputs(specs)
                return EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)
            loss = self.loss(labels, logits, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                metrics = self.update_metrics(
                    self.metrics(regularization_losses),
                    features,
                    logits,
                    labels,
                    regularization_losses=regularization_losses,
                )
                return EstimatorSpec(
                    mode, predictions=predictions, loss=loss, eval_metric_ops=metrics
                )
            if mode != ModeKeys.TRAIN:
                raise ValueError(f"mode={mode} unrecognized")
            train_op = base_head.create_estimator_spec_train_op(
                self.name,
                optimizer,
                trainable_variables,
                train_op_fn,
                update_ops,
                loss,
                self.loss_reduction,
            )
            base_head.create_estimator_spec_summary(loss, regularization_losses)
            return EstimatorSpec(mode, predictions=predictions, loss=loss, train_op=train_op)

    def _specs(
        self, features: Any, mode: str, logits: Mapping[str, Any], labels: Any
    ) -> list[EstimatorSpec]:
        # In training, these specs add the summaries of each head. Their train ops do nothing.
        return [
            head.create_estimator_spec(
                features=features,
                mode=mode,
                logits=logits[head.name],
                labels=labels[head.name] if labels else None,
                train_op_fn=lambda loss: tf.no_op(),
            )
            for head in self._heads
        ]
