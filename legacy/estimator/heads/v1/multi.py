"""The v1 head that combines several heads.

>>> from legacy.estimator.heads import v1
>>> v1.multi_head([v1.regression_head(name="a"), v1.regression_head(name="b")]).name
'a_b'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.merged_heads import MergedHeads
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.v1.base_head import Head, LossSpec, make_train_op, summary_key
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.MULTI | argument_texts.V1


@documented(_TEXTS)
class MultiHead(MergedHeads, Head):
    """Adds up the losses of several heads and merges their predictions, metrics and exports.

    The keys of predictions are pairs (name of the head, name of the prediction). The keys of export
    outputs are the head's name, or the head's name, a slash and the signature name, such as
    "price/predict". The first head provides the default serving signature.

    {args}

    Raises:
      ValueError: If `heads` is empty, if a head has no name, or if the number of weights differs
        from the number of heads.
    """

    def _by_head(self, logits: Any) -> Any:
        return logits if isinstance(logits, dict) else self._split(logits)

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        """Computes the losses of the heads and their weighted sum. See the base class."""
        logits = self._by_head(logits)
        parts = {
            head.name: head.create_loss(features, mode, logits[head.name], labels[head.name])
            for head in self._heads
        }
        merged = self._merged_loss([part.training_loss for part in parts.values()])
        factors = dict(zip(parts, self._head_weights or [1] * len(parts), strict=True))

        def scale_part(value: Any, name: str) -> Any:
            return tf.multiply(value, factors[name]) if self._head_weights else value

        return LossSpec(
            merged,
            {name: scale_part(part.unreduced_loss, name) for name, part in parts.items()},
            {name: scale_part(part.weights, name) for name, part in parts.items()},
            {name: part.processed_labels for name, part in parts.items()},
        )

    @documented(_TEXTS)
    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Callable[[tf.Tensor], Any] | None = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec for the mode.

        {args}

        Returns:
          An EstimatorSpec.

        Raises:
          ValueError: If the mode is not one of `ModeKeys`, or if an argument is invalid.
        """
        logits = self._by_head(logits)
        if labels and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        # The train ops of the single heads do nothing. `_training` trains on the merged loss.
        specs = [
            head.create_estimator_spec(
                features=features,
                mode=mode,
                logits=logits[head.name],
                labels=labels[head.name] if labels else None,
                train_op_fn=lambda loss: tf.no_op(),
            )
            for head in self._heads
        ]
        if mode == ModeKeys.TRAIN:
            return self._training(specs, optimizer, train_op_fn)
        if mode == ModeKeys.PREDICT:
            outputs = self._merged_export_outputs(specs)
            return EstimatorSpec(mode, predictions=self._predictions(specs), export_outputs=outputs)
        if mode == ModeKeys.EVAL:
            return self._evaluation(specs)
        raise ValueError(f"mode={mode} unrecognized")

    def _predictions(self, specs: Sequence[EstimatorSpec]) -> dict[tuple[str, str], tf.Tensor]:
        return {
            (head.name, key): value
            for head, spec in zip(self._heads, specs, strict=True)
            for key, value in spec.predictions.items()
        }

    def _merged_loss(self, losses: Sequence[tf.Tensor]) -> tf.Tensor:
        with tf1.name_scope(None, "merge_losses", (*losses, *self._head_weights)):
            return self._weighted_sum(losses)

    def _training(
        self, specs: Sequence[EstimatorSpec], optimizer: Any, train_op_fn: Any
    ) -> EstimatorSpec:
        loss = self._merged_loss([spec.loss for spec in specs])
        spec = EstimatorSpec(
            ModeKeys.TRAIN,
            predictions=self._predictions(specs),
            loss=loss,
            train_op=make_train_op(loss, optimizer, train_op_fn),
        )
        with tf1.name_scope(""):
            tf1.summary.scalar(MetricKeys.LOSS, spec.loss)
        return spec

    def _evaluation(self, specs: Sequence[EstimatorSpec]) -> EstimatorSpec:
        metrics = {}
        with tf1.name_scope("merge_eval"):
            for head, spec in zip(self._heads, specs, strict=True):
                name = summary_key(head.name, MetricKeys.LOSS)
                metrics[name] = tf1.metrics.mean(spec.loss, name=name)
                metrics.update(spec.eval_metric_ops)
            loss = self._merged_loss([spec.loss for spec in specs])
        return EstimatorSpec(
            ModeKeys.EVAL,
            predictions=self._predictions(specs),
            loss=loss,
            eval_metric_ops=metrics,
        )
