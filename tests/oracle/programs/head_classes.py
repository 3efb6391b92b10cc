"""BinaryClassHead and MultiClassHead: numbers, names, metrics, exports, also without a graph."""

import numpy as np
import tensorflow as tf

from tests.oracle import head_facts

APIS = ("v2",)

BINARY = np.array([[2.0], [-1.0], [0.5]], "float32")
CLASSES = np.array([[2.0, 0.0, 1.0], [0.0, 1.0, -1.0], [0.2, 0.1, 0.3]], "float32")
WEIGHTS = {"w": np.array([1.0, 2.0, 0.5], "float32")}


def loss_fn(labels, logits, features):
    return tf.abs(tf.cast(labels, tf.float32) - logits[..., :1]) * features["w"][:, None]


def keras_descent(variable, step):
    optimizers = tf.keras.optimizers
    optimizer = getattr(optimizers, "legacy", optimizers).SGD(0.1)
    optimizer.iterations = step
    return {"optimizer": optimizer, "trainable_variables": [variable], "update_ops": [tf.no_op()]}


def run(estimator, folder):
    binary, multi = estimator.BinaryClassHead, estimator.MultiClassHead
    labels = np.array([[1], [0], [0]])
    words = np.array([["yes"], ["no"], ["no"]])
    ids = np.array([[0], [1], [1]])

    def named():
        return binary(
            weight_column="w",
            thresholds=[0.25, 0.75],
            label_vocabulary=["no", "yes"],
            loss_reduction=tf.losses.Reduction.SUM,
            name="one",
        )

    def own_loss():
        return multi(3, loss_fn=loss_fn, name="three")

    weighted = tf.feature_column.numeric_column("w", normalizer_fn=lambda x: 2 * x)
    animals = np.array([["cat"], ["dog"], ["dog"]])
    return {
        "binary": head_facts.graphs(binary, BINARY, labels),
        "binary_flat": head_facts.graphs(binary, BINARY, labels[:, 0], train=keras_descent),
        "binary_named": head_facts.graphs(
            named, BINARY, words, WEIGHTS, regularization_losses=[0.5, 0.25]
        ),
        "binary_eager": head_facts.eagerly(binary(), BINARY, labels),
        "binary_eager_named": head_facts.eagerly(named(), BINARY, words, WEIGHTS, [0.5]),
        "multi": head_facts.graphs(lambda: multi(3), CLASSES, ids, train=keras_descent),
        "multi_loss": head_facts.graphs(
            own_loss, CLASSES, ids, WEIGHTS, regularization_losses=[0.5]
        ),
        "multi_words": head_facts.graphs(
            lambda: multi(3, weighted, label_vocabulary=["cat", "dog", "eel"]),
            CLASSES,
            animals,
            WEIGHTS,
        ),
        "multi_eager": head_facts.eagerly(multi(3), CLASSES, ids),
        "multi_eager_words": head_facts.eagerly(
            multi(3, weighted, ["cat", "dog", "eel"], name="m"), CLASSES, animals, WEIGHTS
        ),
        "deep": head_facts.eagerly(
            multi(3, "w"),
            np.ones((2, 2, 3), "float32"),
            np.ones((2, 2), "int64"),
            {"w": np.array([[1.0, 2.0], [3.0, 4.0]], "float32")},
        ),
    }
