"""The canned estimators of contrib.learn, with columns of tf.feature_column."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)

CLASSES = [0, 1, 2, 0, 1, 2]
BINARY = [0, 1, 1, 0, 1, 0]
NUMBERS = [0.5, 1.0, 2.0, 0.1, 0.2, 3.0]


def make_input_fn(tf, labels):
    def input_fn():
        x = np.linspace(-1, 1, 12).reshape(6, 2).astype("float32")
        words = ["a", "b", "c", "a", "b", "z"]
        indices = [[i, 0] for i in range(6)]
        return {
            "x": tf.constant(x),
            "words": tf.SparseTensor(indices, tf.constant(words), [6, 1]),
            "w": tf.constant([1.0, 2.0, 1.0, 1.0, 0.5, 1.0]),
        }, tf.reshape(tf.constant(labels), [6, 1])

    return input_fn


def observed(tf, folder, kind, labels, **arguments):
    """Trains five steps from fixed weights, and returns the results."""
    config = tf.contrib.learn.RunConfig(tf_random_seed=1, save_summary_steps=1)
    estimator = kind(model_dir=folder, config=config, **arguments)
    input_fn = make_input_fn(tf, labels)
    estimator.fit(input_fn=input_fn, steps=1)
    facts.fix_weights(folder)
    estimator.fit(input_fn=input_fn, steps=5)
    return {
        "variables": facts.variables(folder),
        "values": facts.values(folder),
        "metrics": facts.plain(estimator.evaluate(input_fn=input_fn, steps=1)),
        "predicted": facts.plain(list(estimator.predict(input_fn=input_fn))),
        "summaries": sorted(facts.scalars(folder)),
    }


def run(tf, folder):
    learn = tf.contrib.learn
    x = [tf.feature_column.numeric_column("x", shape=[2])]
    cases = {
        "dnn": (learn.DNNClassifier, CLASSES, {"n_classes": 3, "gradient_clip_norm": 1.0}),
        "dnn regressor": (learn.DNNRegressor, NUMBERS, {"optimizer": "Adam"}),
        "linear": (learn.LinearClassifier, BINARY, {"weight_column_name": "w"}),
        "combined": (
            learn.DNNLinearCombinedClassifier,
            BINARY,
            {"linear_feature_columns": x, "dnn_feature_columns": x, "dnn_hidden_units": [3]},
        ),
    }
    found = {}
    for name in sorted(cases):
        kind, labels, arguments = cases[name]
        if name.startswith("dnn"):
            arguments.update(hidden_units=[4, 3])
        if name != "combined":
            arguments.update(feature_columns=x)
        path = os.path.join(folder, name.replace(" ", "_"))
        found[name] = observed(tf, path, kind, labels, **arguments)
    dnn = learn.DNNClassifier(model_dir=os.path.join(folder, "dnn"), **cases["dnn"][2])
    found["probabilities"] = facts.plain(
        list(dnn.predict_proba(input_fn=make_input_fn(tf, CLASSES)))
    )
    found["errors"] = [
        facts.error(learn.DNNClassifier, [1], [], n_classes=1)[0],
        facts.error(learn.LinearClassifier, [])[0],
        facts.error(learn.DNNClassifier, [1], [], n_classes=2, label_keys=["a", "b"])[0],
    ]
    return found
