"""Selects the classes that get their own metrics, and names these metrics.

>>> metric_classes([2], n_classes=3, label_vocabulary=None)
(2,)
>>> class_metric_names(2, None)
('probability_mean/class2', 'auc/class2', 'auc_precision_recall/class2')
>>> class_metric_names(0, ["cat", "dog"])[1]
'auc/cat'
"""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from legacy.estimator.heads.metric_keys import MetricKeys


def metric_classes(
    classes: Sequence[int | str] | None, n_classes: int, label_vocabulary: Sequence[str] | None
) -> tuple[int, ...]:
    """Returns the indices of the classes that get their own metrics.

    Args:
      classes: Indices, or names from the vocabulary.
      n_classes: Number of classes.
      label_vocabulary: Names of the classes, or None.

    Returns:
      The indices.

    Raises:
      ValueError: If a class does not exist, or if `classes` are names without a vocabulary.
    """
    class_tuple = tuple(classes) if classes else ()
    if not class_tuple:
        return ()
    if isinstance(class_tuple[0], str):
        if not label_vocabulary:
            raise ValueError(
                "label_vocabulary must be provided when classes_for_class_based_metrics are "
                f"strings: {class_tuple}."
            )
        return tuple(label_vocabulary.index(name) for name in class_tuple)
    for class_id in class_tuple:
        if not 0 <= class_id < n_classes:
            raise ValueError(
                "All classes_for_class_based_metrics must be in range "
                f"[0, {n_classes - 1}]. Given: {class_id}"
            )
    return class_tuple


def class_metric_names(
    class_id: int, label_vocabulary: Sequence[str] | None
) -> tuple[str, str, str]:
    """Returns the metric names of a class: mean probability, ROC AUC and precision-recall AUC.

    Args:
      class_id: Index of the class.
      label_vocabulary: Names of the classes, or None.
    """
    keys = MetricKeys
    if label_vocabulary is None:
        by_class = (keys.PROBABILITY_MEAN_AT_CLASS, keys.AUC_AT_CLASS, keys.AUC_PR_AT_CLASS)
        return tuple(key % class_id for key in by_class)
    by_name = (keys.PROBABILITY_MEAN_AT_NAME, keys.AUC_AT_NAME, keys.AUC_PR_AT_NAME)
    return tuple(key % label_vocabulary[class_id] for key in by_name)


def of_class(tensor: tf.Tensor, class_id: int) -> tf.Tensor:
    """Slices a tensor, [D0, ..., DN, n_classes], to one class, [D0, ..., DN, 1]."""
    return tensor[..., class_id : class_id + 1]
