"""MultiLabelHead and MultiHead: indicator and sparse labels, single classes, merged heads."""

import numpy as np
import tensorflow as tf

from tests.oracle import head_facts

APIS = ("v2",)

LOGITS = np.array([[2.0, -1.0, 0.5], [-1.0, 1.0, 1.0]], "float32")
LABELS = np.array([[1, 0, 1], [0, 0, 1]])
WEIGHTS = {"w": np.array([[1.0], [2.0]], "float32")}


def sparse(values):
    return tf.compat.v1.SparseTensorValue([[0, 0], [0, 1], [1, 0]], values, [2, 2])


def loss_fn(labels, logits):
    return tf.reduce_max(tf.abs(tf.cast(labels, tf.float32) - logits), axis=-1, keepdims=True)


def keras_descent(variable, step):
    optimizers = tf.keras.optimizers
    optimizer = getattr(optimizers, "legacy", optimizers).SGD(0.1)
    optimizer.iterations = step
    return {"optimizer": optimizer, "trainable_variables": [variable]}


def run(estimator, folder):
    label_head = estimator.MultiLabelHead

    def full(classes=("a", "c")):
        return label_head(
            3,
            weight_column="w",
            thresholds=[0.4, 0.6],
            label_vocabulary=["a", "b", "c"],
            classes_for_class_based_metrics=classes,
            name="l",
        )

    def merged(weights=None):
        one = estimator.MultiLabelHead(3, name="labels")
        return estimator.MultiHead([one, estimator.RegressionHead(name="number")], weights)

    joined = np.concatenate([LOGITS, [[1.0], [2.0]]], axis=1).astype("float32")
    by_head = {"labels": LABELS, "number": np.array([[1.5], [1.0]], "float32")}
    logits = {"labels": LOGITS, "number": joined[:, 3:]}
    words = sparse(np.array(["a", "c", "c"]))
    ids = sparse(np.array([0, 2, 2]))
    return {
        "indicators": head_facts.graphs(lambda: label_head(3), LOGITS, LABELS),
        "classes": head_facts.graphs(
            lambda: label_head(3, loss_fn=loss_fn, classes_for_class_based_metrics=[1]),
            LOGITS,
            ids,
            regularization_losses=[0.5],
        ),
        "words": head_facts.graphs(full, LOGITS, words, WEIGHTS),
        "indicators_eager": head_facts.eagerly(label_head(3), LOGITS, LABELS),
        "ids_eager": head_facts.eagerly(full([2, 0]), LOGITS, ids, WEIGHTS, [0.5]),
        "words_eager": head_facts.eagerly(full(), LOGITS, words, WEIGHTS),
        "merged": head_facts.graphs(merged, joined, by_head, train=keras_descent),
        "weighted": head_facts.graphs(
            lambda: merged([2.0, 0.5]), logits, by_head, regularization_losses=[0.5]
        ),
        "merged_eager": head_facts.eagerly(merged([2.0, 0.5]), joined, by_head),
        "dict_eager": head_facts.eagerly(merged(), logits, by_head, None, [0.5]),
    }
