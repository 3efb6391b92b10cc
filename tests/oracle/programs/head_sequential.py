"""The head over sequences: padding counts in no loss and no metric."""

import numpy as np
import tensorflow as tf

from tests.oracle import head_facts

APIS = ("v2",)

LOGITS = np.array([[[2.0], [-1.0], [9.0]], [[0.5], [8.0], [7.0]]], "float32")
LABELS = np.array([[[1], [0], [0]], [[0], [1], [1]]])
MASK = np.array([[True, True, False], [True, False, False]])
WEIGHTS = np.array([[1.0, 2.0, 3.0], [0.5, 4.0, 5.0]], "float32")
CLASSES = np.stack([LOGITS[..., 0], -LOGITS[..., 0], LOGITS[..., 0] / 2], axis=-1)


def wrapper(estimator):
    if estimator.__name__.startswith("legacy."):
        from legacy.estimator.heads.v2.sequential import SequentialHeadWrapper
    else:
        from tensorflow_estimator.python.estimator.head.sequential_head import (
            SequentialHeadWrapper,
        )
    return SequentialHeadWrapper


def eager(head, logits, labels, features):
    metrics = head.metrics()
    head.update_metrics(metrics, features, logits, labels)
    return {
        "name": head.name,
        "loss": float(head.loss(logits, labels, features)),
        "metrics": {key: float(metric.result()) for key, metric in metrics.items()},
    }


def errors(wrap, estimator):
    number = estimator.RegressionHead
    tensors = {"mask": tf.constant(MASK), "flat": tf.constant(MASK[0])}

    def loss(logits=LOGITS, labels=LABELS, features=tensors, mask="mask", **given):
        head = wrap(number(), mask, **given)
        return lambda: head.loss(tf.constant(logits), tf.constant(labels), features)

    return {
        "mask_name": lambda: wrap(number(), 3),
        "columns": lambda: wrap(number(), feature_columns=3),
        "column": lambda: wrap(number(), feature_columns=[3]),
        "merged": lambda: wrap(estimator.MultiHead([number(name="a")])),
        "no_mask": loss(mask="other"),
        "flat_mask": loss(mask="flat"),
        "no_column": loss(feature_columns="w"),
        "rank": loss(logits=LOGITS[0, :, 0]),
        "labels": loss(labels=LABELS[:, :2]),
    }


def run(estimator, folder):
    wrap = wrapper(estimator)
    features = {"mask": MASK, "w": WEIGHTS}
    tensors = {name: tf.constant(value) for name, value in features.items()}
    sparse = tf.compat.v1.SparseTensorValue([[0, 0], [0, 1], [1, 0]], [1, 0, 2], [2, 3])

    def binary():
        return wrap(estimator.BinaryClassHead("w", name="b"), "mask", "w")

    def multi():
        return wrap(estimator.MultiClassHead(3), "mask")

    return {
        "binary": head_facts.graphs(binary, LOGITS, LABELS, features),
        "multi": head_facts.graphs(multi, CLASSES, sparse, features),
        "binary_eager": eager(binary(), tf.constant(LOGITS), tf.constant(LABELS), tensors),
        "multi_eager": eager(
            multi(), tf.constant(CLASSES), tf.sparse.SparseTensor(*sparse), tensors
        ),
        "errors": head_facts.kinds(errors(wrap, estimator)),
    }
