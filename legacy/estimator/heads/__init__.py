"""Heads: the tops of models, of the v2 API.

>>> from legacy.estimator import heads
>>> heads.MultiClassHead(n_classes=3).logits_dimension
3

A head turns logits and labels into loss, metrics, predictions, export outputs and a train op. The
heads of the v1 API, as tf.contrib.estimator had them, are in `legacy.estimator.heads.v1`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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


def binary_or_multi_class_head(
    n_classes: int,
    weight_column: Any,
    label_vocabulary: Sequence[str] | None,
    loss_reduction: str,
) -> Head:
    """Returns the head of a classifier.

    Args:
      n_classes: Two, or more.
      weight_column: As of the heads.
      label_vocabulary: As of the heads.
      loss_reduction: As of the heads.

    Returns:
      A BinaryClassHead or a MultiClassHead.

    Raises:
      ValueError: An argument is wrong.
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
