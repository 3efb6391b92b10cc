"""Errors of canned estimators."""

import numpy as np
import tensorflow as tf

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts

APIS = ("v1", "v2")

fc = tf.feature_column


def v2_optimizer():
    try:
        import tf_keras as keras
    except ImportError:
        keras = tf.keras
    return keras.optimizers.legacy.Adam()


def run(estimator, folder):
    input_fn = inputs.input_fn(inputs.binary())

    def trained(name, **kwargs):
        kwargs.setdefault("model_dir", folder + "/refused")
        return lambda: getattr(estimator, name)(**kwargs).train(input_fn, steps=1)

    v1_optimizer = tf.compat.v1.train.AdamOptimizer()
    number, word = inputs.small()
    sequence = fc.sequence_categorical_column_with_identity("id", 4)
    deep = {"hidden_units": [2], "feature_columns": inputs.small_dense()}
    wide = {"feature_columns": inputs.small()}
    cases = {
        "optimizer_name": trained("DNNClassifier", optimizer="Adamm", **deep),
        "optimizer_type": trained("DNNClassifier", optimizer=1, **deep),
        "optimizer_callable": trained("LinearClassifier", optimizer=lambda: None, **wide),
        "categorical_in_dnn": trained("DNNRegressor", hidden_units=[2], feature_columns=[word]),
        "no_columns": trained("DNNRegressor", hidden_units=[2], feature_columns=[]),
        "no_columns_linear": trained("LinearRegressor", feature_columns=None),
        "twice": trained("LinearRegressor", feature_columns=[number, number]),
        "no_column": trained("LinearRegressor", feature_columns=["number"]),
        "sequence": trained(
            "DNNRegressor", hidden_units=[2], feature_columns=[fc.embedding_column(sequence, 2)]
        ),
        "sequence_linear": trained("LinearRegressor", feature_columns=[sequence]),
        "one_class": trained("LinearClassifier", n_classes=1, **wide),
        "combined_no_columns": trained("DNNLinearCombinedClassifier"),
        "combined_no_units": trained(
            "DNNLinearCombinedClassifier", dnn_feature_columns=inputs.small_dense()
        ),
        "missing_feature": trained("LinearRegressor", feature_columns=[fc.numeric_column("no")]),
        "reduction": trained("LinearRegressor", loss_reduction="nope", **wide),
        "combiner": trained("LinearRegressor", sparse_combiner="nope", **wide),
        "label_dimension": trained("LinearRegressor", label_dimension=3, **wide),
        "other_shape": trained("LinearRegressor", feature_columns=[fc.numeric_column("number")]),
        "shared_v1": trained("DNNRegressor", hidden_units=[2], feature_columns=inputs.shared_v1()),
        "shared_v1_linear": trained("LinearRegressor", feature_columns=inputs.shared_v1()),
    }
    other = v1_optimizer if "V2" in estimator.Estimator.__name__ else v2_optimizer()
    cases["other_optimizer"] = trained("DNNClassifier", optimizer=other, **deep)
    cases["other_optimizer_linear"] = trained("LinearClassifier", optimizer=other, **wide)

    def not_a_dict():
        return tf.data.Dataset.from_tensors((np.ones([4, 2], "f"), np.ones([4, 1], "f")))

    for name in ("DNNRegressor", "LinearRegressor"):
        kwargs = deep if name == "DNNRegressor" else wide
        model = getattr(estimator, name)(model_dir=folder + "/not_a_dict", **kwargs)
        cases["not_a_dict_" + name] = lambda model=model: model.train(not_a_dict, steps=1)
    found = {}
    for name, call in cases.items():
        kind, text = facts.error(call) or (None, None)
        found[name] = {"type": kind, "text~": text}
    return found
