"""The canned estimators of contrib.learn, with columns of contrib.layers."""

import os

from tests.oracle.programs.contrib_learn_canned import BINARY, CLASSES, NUMBERS, observed

APIS = ("contrib",)


def run(tf, folder):
    learn, layers = tf.contrib.learn, tf.contrib.layers
    x = layers.real_valued_column("x", dimension=2)
    words = layers.sparse_column_with_keys("words", ["a", "b", "c"])
    embedded = layers.embedding_column(words, 2)
    cases = {
        "dnn": (
            learn.DNNClassifier,
            CLASSES,
            {"hidden_units": [4], "feature_columns": [x, embedded], "n_classes": 3},
        ),
        "linear": (learn.LinearClassifier, BINARY, {"feature_columns": [x, words]}),
        "combined": (
            learn.DNNLinearCombinedRegressor,
            NUMBERS,
            {
                "linear_feature_columns": [words],
                "dnn_feature_columns": [x, embedded],
                "dnn_hidden_units": [3],
                "fix_global_step_increment_bug": True,
            },
        ),
    }
    found = {}
    for name in sorted(cases):
        kind, labels, arguments = cases[name]
        found[name] = observed(tf, os.path.join(folder, name), kind, labels, **arguments)
    return found
