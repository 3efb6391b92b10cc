"""The private heads of v1 canned estimators: numbers, names, metrics, exports, errors."""

import numpy as np
import tensorflow as tf

from tests.oracle import head_facts

APIS = ("v1",)

tf1 = tf.compat.v1
BINARY = np.array([[2.0], [-1.0], [0.5]], "float32")
CLASSES = np.array([[2.0, 0.0, 1.0], [0.0, 1.0, -1.0], [0.2, 0.1, 0.3]], "float32")
WEIGHTS = {"w": np.array([1.0, 2.0, 0.5], "float32")}


def private_heads(estimator):
    if estimator.__name__.startswith("legacy."):
        from legacy.estimator.heads.v1 import canned_head as head
    else:
        from tensorflow_estimator.python.estimator.canned import head
    return head


def errors(heads):
    binary = heads._binary_logistic_head_with_sigmoid_cross_entropy_loss
    multi = heads._multi_class_head_with_softmax_cross_entropy_loss
    number = heads._regression_head

    def loss(head, labels, logits, features=None):
        def call():
            with tf.Graph().as_default():
                features_ = {k: tf.constant(v) for k, v in (features or {}).items()}
                spec = head.create_loss(features_, "train", tf.constant(logits), labels)
                with tf1.Session() as session:
                    session.run(tf1.tables_initializer())
                    session.run(spec.training_loss)

        return call

    words = multi(3, label_vocabulary=["a", "b", "c"])
    return {
        "vocabulary": lambda: binary(label_vocabulary="ab"),
        "vocabulary_multi": lambda: multi(3, label_vocabulary="abc"),
        "threshold": lambda: binary(thresholds=[0.0]),
        "reduction": lambda: number(loss_reduction="none"),
        "reduction_v2": lambda: number(loss_reduction="sum"),
        "classes": lambda: multi(2),
        "classes_none": lambda: multi(None),
        "dimension": lambda: number(label_dimension=0),
        "loss_fn": lambda: number(loss_fn=lambda labels, logits, loss_reduction: labels),
        "none": loss(binary(), None, BINARY),
        "label_width": loss(binary(), CLASSES, BINARY),
        "label_batch": loss(number(), np.ones((2, 1), "float32"), BINARY),
        "label_high": loss(binary(), np.array([[1.0], [2.0], [0.0]]), BINARY),
        "label_low": loss(multi(3), np.array([[1], [-2], [0]]), CLASSES),
        "label_float": loss(multi(3), BINARY, CLASSES),
        "label_number": loss(words, np.array([[1], [2], [0]]), CLASSES),
        "label_unknown": loss(words, np.array([["a"], ["b"], ["x"]]), CLASSES),
        "weight_missing": loss(number(weight_column="w"), BINARY, BINARY),
        "weight_shape": loss(
            number(weight_column="w"), BINARY, BINARY, {"w": np.ones((3, 2), "float32")}
        ),
        "weight_type": loss(number(weight_column=3), BINARY, BINARY),
        "loss_shape": loss(number(loss_fn=lambda labels, logits: logits[:, 0]), BINARY, BINARY),
        "abstract": lambda: heads._Head().create_estimator_spec({}, "train", None),
    }


def run(estimator, folder):
    heads = private_heads(estimator)
    binary = heads._binary_logistic_head_with_sigmoid_cross_entropy_loss
    multi = heads._multi_class_head_with_softmax_cross_entropy_loss
    mean = tf1.losses.Reduction.SUM_OVER_BATCH_SIZE
    nonzero = tf1.losses.Reduction.SUM_BY_NONZERO_WEIGHTS
    labels = np.array([[1], [0], [0]])
    ids = np.array([[0], [1], [1]])

    def named():
        return binary("w", [0.25, 0.75], ["no", "yes"], mean, name="one")

    def numbers():
        return heads._regression_head(
            tf.feature_column.numeric_column("w"), 3, nonzero, inverse_link_fn=tf.exp, name="n"
        )

    def either(n_classes):
        return heads._binary_logistic_or_multi_class_head(n_classes, None, None, mean)

    return {
        "binary": head_facts.graphs(binary, BINARY, labels),
        "named": head_facts.graphs(
            named,
            BINARY,
            np.array([["yes"], ["no"], ["no"]]),
            WEIGHTS,
            regularization_losses=[0.5, 0.25],
        ),
        "multi": head_facts.graphs(lambda: multi(3, "w", name="m"), CLASSES, ids, WEIGHTS),
        "words": head_facts.graphs(
            lambda: multi(3, label_vocabulary=["cat", "dog", "eel"], loss_reduction=mean),
            CLASSES,
            np.array([["cat"], ["dog"], ["dog"]]),
            regularization_losses=[0.5],
        ),
        "regression": head_facts.graphs(heads._regression_head, BINARY, BINARY[:, 0] + 1),
        "numbers": head_facts.graphs(
            numbers, CLASSES, CLASSES + 1, {"w": WEIGHTS["w"][:, None]}, regularization_losses=[1.0]
        ),
        "either": [either(2).logits_dimension, either(4).logits_dimension],
        "errors": head_facts.kinds(errors(heads)),
    }
