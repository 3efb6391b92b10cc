"""MultiHead: trains a model for several kinds of labels at once.

head = multi_head([multi_class_head(2, "clicked", head_name="click"),
                   regression_head("seconds", head_name="time")], loss_weights=[1.0, 0.1])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.constants import ModeKeys
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps
from legacy.contrib.learn.heads import single


class MultiHead(single.Head):
    """Several heads, combined. See `multi_head`.

    Args:
      heads: Heads with distinct names.
      loss_weights: Weights of the heads' losses. None weights all heads equally.

    Raises:
      ValueError: A head has no name, or the numbers of heads and weights differ.
    """

    def __init__(
        self, heads: Sequence[single.Head], loss_weights: Sequence[float] | None = None
    ) -> None:
        if loss_weights and len(loss_weights) != len(heads):
            raise ValueError("heads and loss_weights must have same size")
        if not all(head.head_name for head in heads):
            raise ValueError("Members of MultiHead must have names.")
        self._heads = heads
        self._loss_weights = loss_weights or [1.0] * len(heads)

    @property
    def logits_dimension(self) -> int:
        """The number of logits of an example, summed over all heads."""
        return sum(head.logits_dimension for head in self._heads)

    def create_model_fn_ops(
        self,
        features: dict[str, Any],
        mode: str,
        labels: Any = None,
        train_op_fn: Any = None,
        logits: Any = None,
        logits_input: tf.Tensor | None = None,
        scope: Any = None,
    ) -> ModelFnOps:
        """Creates the operations of a mode. See `Head`. Logits may also be a dict by head name."""
        ModeKeys.validate(mode)
        if mode == ModeKeys.TRAIN and train_op_fn is None:
            raise ValueError("train_op_fn can not be None in TRAIN mode.")
        ops_by_head = {
            head.head_name: head.create_model_fn_ops(
                features=features,
                mode=mode,
                labels=labels,
                train_op_fn=single.no_op_train_fn,
                logits=head_logits,
                logits_input=logits_input,
                scope=scope,
            )
            for head, head_logits in zip(self._heads, self._split(logits), strict=True)
        }
        predictions = {
            (name, key): value
            for name, ops in ops_by_head.items()
            for key, value in ops.predictions.items()
        }
        if mode == ModeKeys.INFER:
            outputs = {name: ops.output_alternatives[name] for name, ops in ops_by_head.items()}
            return ModelFnOps(mode, predictions=predictions, output_alternatives=outputs)
        loss = tf.add_n(
            [ops.loss * w for ops, w in zip(ops_by_head.values(), self._loss_weights, strict=True)]
        )
        metrics = {
            k: metric for ops in ops_by_head.values() for k, metric in ops.eval_metric_ops.items()
        }
        if mode == ModeKeys.EVAL:
            return ModelFnOps(mode, predictions=predictions, loss=loss, eval_metric_ops=metrics)
        train_op = tf.group(train_op_fn(loss), *[ops.train_op for ops in ops_by_head.values()])
        return ModelFnOps(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)

    def _split(self, logits: Any) -> list[Any]:
        if logits is None:
            return [None] * len(self._heads)
        if isinstance(logits, dict):
            return [logits[head.head_name] for head in self._heads]
        return tf.split(logits, [head.logits_dimension for head in self._heads], axis=-1)


def multi_head(
    heads: Sequence[single.Head], loss_weights: Sequence[float] | None = None
) -> single.Head:
    """Combines several heads into one.

    Args:
      heads: Heads with distinct names.
      loss_weights: Weights of the heads' losses. None weights all heads equally.

    Raises:
      ValueError: A head has no name, or the numbers of heads and weights differ.
    """
    return MultiHead(heads, loss_weights)
