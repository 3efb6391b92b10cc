"""The regression heads: numbers, metrics, exports, with and without a graph."""

import numpy as np
import tensorflow as tf

from tests.oracle import head_facts

APIS = ("v2",)

LOGITS = np.array([[2.0], [-1.0], [0.5]], "float32")
PAIRS = np.array([[2.0, 1.0], [0.0, -1.0]], "float32")
WEIGHTS = {"w": np.array([1.0, 2.0, 0.5], "float32")}


def loss_fn(labels, logits):
    return tf.abs(labels - logits)


def adam(variable, step):
    optimizers = tf.keras.optimizers
    optimizer = getattr(optimizers, "legacy", optimizers).Adam(0.1)
    optimizer.iterations = step
    return {"optimizer": optimizer, "trainable_variables": [variable]}


def run(estimator, folder):
    head = estimator.RegressionHead
    labels = np.array([[1.0], [0.0], [0.5]], "float32")
    pairs = np.array([[1, 2], [3, 4]])
    per_logit = {"w": np.array([[1.0, 2.0], [0.0, 3.0]], "float32")}
    sums = tf.losses.Reduction.SUM

    def both():
        return head(
            2,
            weight_column=tf.feature_column.numeric_column("w", shape=(2,)),
            loss_reduction=sums,
            name="both",
        )

    return {
        "plain": head_facts.graphs(head, LOGITS, labels, train=adam),
        "flat": head_facts.graphs(
            lambda: head(weight_column="w", loss_fn=loss_fn, inverse_link_fn=tf.exp),
            LOGITS,
            labels[:, 0],
            WEIGHTS,
            regularization_losses=[1.0, 2.0],
        ),
        "pairs": head_facts.graphs(both, PAIRS, pairs, per_logit),
        "poisson": head_facts.graphs(estimator.PoissonRegressionHead, LOGITS, labels),
        "poisson_short": head_facts.graphs(
            lambda: estimator.PoissonRegressionHead(compute_full_loss=False, name="p"),
            LOGITS,
            labels * 4,
        ),
        "logistic": head_facts.graphs(estimator.LogisticRegressionHead, LOGITS, labels),
        "plain_eager": head_facts.eagerly(head(), LOGITS, labels),
        "pairs_eager": head_facts.eagerly(both(), PAIRS, pairs, per_logit, [0.5]),
        "flat_eager": head_facts.eagerly(head(weight_column="w"), LOGITS, labels[:, 0], WEIGHTS),
        "poisson_eager": head_facts.eagerly(estimator.PoissonRegressionHead(), LOGITS, labels),
        "logistic_eager": head_facts.eagerly(
            estimator.LogisticRegressionHead("w", sums, "l"), LOGITS, labels, WEIGHTS
        ),
    }
