"""Heads of the v2 API: the last part of a model_fn, from the logits to the EstimatorSpec.

>>> from legacy.estimator import heads
>>> heads.MultiClassHead(n_classes=3).logits_dimension
3

A head turns logits and labels into a loss, metrics, predictions, export outputs and a train op. The
heads of the v1 API (tf.contrib.estimator) are in `legacy.estimator.heads.v1`.

Files in reading order:
prediction_keys  names the entries of a predictions dict
metric_keys      names the metrics
v2               implements the heads of the v2 API
v1               implements the heads of tf.contrib.estimator and of the v1 canned estimators
objectives       converts labels, and computes losses and export outputs, for both APIs
merged_heads     combines several heads, for both APIs
classes          maps class names to class ids, and computes predictions of classes
weights          reads the weight column and fits it to the logits
checks           checks the shapes and values of logits, labels and losses
arguments        checks the arguments of heads other than tensors
class_metrics    selects the classes that get their own metrics, and names these
argument_texts   describes the arguments that several heads take
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.prediction_keys import PredictionKeys
from legacy.estimator.heads.v2.base_head import Head
from legacy.estimator.heads.v2.binary_class import BinaryClassHead
from legacy.estimator.heads.v2.multi import MultiHead
from legacy.estimator.heads.v2.multi_class import MultiClassHead
from legacy.estimator.heads.v2.multi_label import MultiLabelHead
from legacy.estimator.heads.v2.regression import (
    LogisticRegressionHead,
    PoissonRegressionHead,
    RegressionHead,
)

__all__ = [
    "BinaryClassHead",
    "Head",
    "LogisticRegressionHead",
    "MetricKeys",
    "MultiClassHead",
    "MultiHead",
    "MultiLabelHead",
    "PoissonRegressionHead",
    "PredictionKeys",
    "RegressionHead",
    "binary_or_multi_class_head",
]


@documented(argument_texts.SHARED | argument_texts.V2)
def binary_or_multi_class_head(
    n_classes: int,
    weight_column: Any,
    label_vocabulary: Sequence[str] | None,
    loss_reduction: str,
) -> Head:
    """Returns the head of a canned classifier.

    {args}

    Returns:
      A BinaryClassHead for two classes, a MultiClassHead for more.

    Raises:
      ValueError: If an argument is invalid.
    """
    if n_classes == 2:
        return BinaryClassHead(
            weight_column=weight_column,
            label_vocabulary=label_vocabulary,
            loss_reduction=loss_reduction,
        )
    return MultiClassHead(
        n_classes,
        weight_column=weight_column,
        label_vocabulary=label_vocabulary,
        loss_reduction=loss_reduction,
    )
