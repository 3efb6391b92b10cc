"""The heads of tf.contrib.estimator, and its extenders."""

import numpy as np

from tests.oracle import facts, head_facts

APIS = ("contrib",)

LOGITS = np.array([[2.0, -1.0, 0.5], [-1.0, 1.0, 1.0]], "float32")
LABELS = np.array([[1, 0, 1], [0, 0, 1]])
ONE = np.array([[2.0], [-1.0]], "float32")


def run(tf, folder):
    heads = tf.contrib.estimator
    tf1 = tf.compat.v1

    def sparse(values):
        return tf1.SparseTensorValue([[0, 0], [0, 1], [1, 0]], values, [2, 2])

    def labels_head(**more):
        return heads.multi_label_head(3, name="labels", **more)

    def full():
        return labels_head(
            weight_column="w",
            thresholds=[0.4],
            label_vocabulary=["a", "b", "c"],
            classes_for_class_based_metrics=["a", "c"],
        )

    def merged(weights=None):
        return heads.multi_head([labels_head(), heads.regression_head(name="number")], weights)

    joined = np.concatenate([LOGITS, ONE], axis=1)
    by_head = {"labels": LABELS, "number": ONE + 1}
    words = sparse(np.array(["a", "c", "c"]))
    errors = {
        "classes": lambda: heads.multi_label_head(1),
        "metric_class": lambda: labels_head(classes_for_class_based_metrics=[3]),
        "no_heads": lambda: heads.multi_head([]),
        "no_name": lambda: heads.multi_head([heads.regression_head()]),
        "weights": lambda: heads.multi_head([labels_head()], [1.0, 2.0]),
        "vocabulary": lambda: heads.binary_classification_head(label_vocabulary="ab"),
        "keys": lambda: heads.forward_features(None, 3),
        "keys_of": lambda: heads.forward_features(None, ["a", 3]),
        "metric_fn": lambda: heads.add_metrics(None, lambda wrong: {}),
    }
    return {
        "binary": head_facts.graphs(heads.binary_classification_head, ONE, np.array([[1], [0]])),
        "multi": head_facts.graphs(lambda: heads.multi_class_head(3), LOGITS, np.array([[1], [0]])),
        "regression": head_facts.graphs(heads.regression_head, ONE, ONE + 1),
        "poisson": head_facts.graphs(heads.poisson_regression_head, ONE, ONE + 1),
        "logistic": head_facts.graphs(
            lambda: heads.logistic_regression_head(name="l"), ONE, np.array([[1.0], [0.25]], "f")
        ),
        "labels": head_facts.graphs(labels_head, LOGITS, LABELS, regularization_losses=[0.5]),
        "words": head_facts.graphs(full, LOGITS, words, {"w": np.array([[1.0], [2.0]], "float32")}),
        "merged": head_facts.graphs(merged, joined, by_head),
        "weighted": head_facts.graphs(
            lambda: merged([2.0, 0.5]), {"labels": LOGITS, "number": ONE}, by_head
        ),
        "extended": extended(tf, folder),
        "errors": head_facts.kinds(errors),
    }


def extended(tf, folder):
    tf1 = tf.compat.v1
    heads = tf.contrib.estimator

    def model_fn(features, labels, mode):
        weight = tf1.get_variable("w", [1, 1], initializer=tf1.ones_initializer())
        optimizer = heads.clip_gradients_by_norm(tf1.train.AdagradOptimizer(0.5), 0.25)
        return heads.regression_head().create_estimator_spec(
            features, mode, tf.matmul(features["x"], weight), labels, optimizer
        )

    def input_fn():
        x = np.array([[1.0], [2.0]], "float32")
        features = {"x": x, "key": np.array(["a", "b"])}
        return tf1.data.Dataset.from_tensors((features, 3 * x)).repeat(3)

    def largest(labels, predictions, features, config):
        difference = labels - predictions["predictions"]
        return {"largest": tf1.metrics.mean(tf1.reduce_max(difference))}

    estimator = tf.estimator.Estimator(model_fn, folder)
    estimator = heads.forward_features(heads.add_metrics(estimator, largest), "key")
    estimator.train(input_fn)
    predicted = list(estimator.predict(input_fn))[:2]
    return facts.plain(
        {
            "variables": facts.variables(folder),
            "values": facts.values(folder),
            "metrics": estimator.evaluate(input_fn),
            "predictions": predicted,
        }
    )
