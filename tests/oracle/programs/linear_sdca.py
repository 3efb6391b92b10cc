"""LinearClassifier and LinearRegressor with LinearSDCA: all kinds of columns, weights, l1."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1
ROWS = 8


def _features():
    words = [["a", "b"], ["b", "b"], ["c", ""], ["a", "z"], ["b", ""], ["c", "a"], ["a", ""]]
    return {
        "id": np.array([str(i) for i in range(ROWS)]),
        "price": np.linspace(-1, 1, ROWS, dtype="float32")[:, None],
        "pair": np.stack([np.ones(ROWS), np.arange(ROWS) % 3], 1).astype("float32"),
        "words": np.array([*words, ["c", "c"]]),
        "color": np.array([[i % 4] for i in range(ROWS)]),
        "w": (1 + np.arange(ROWS, dtype="float32") % 3)[:, None],
    }


def _columns():
    column = tf.feature_column
    price = column.numeric_column("price")
    color = column.categorical_column_with_identity("color", 4)
    return [
        price,
        column.numeric_column("pair", 2),
        column.categorical_column_with_vocabulary_list("words", ["a", "b", "c"]),
        color,
        column.crossed_column(["words", column.bucketized_column(price, [0.0])], 7),
    ]


def _input(labels):
    def input_fn():
        # One by one: the solver goes through a batch in an order of its own, by chance.
        return tf.data.Dataset.from_tensor_slices((_features(), labels)).batch(1).repeat()

    return input_fn


def _life(model, input_fn, folder, more):
    model.train(input_fn, steps=10)
    found = {
        "variables": facts.variables(folder),
        "values": facts.values(folder),
        "tags": sorted(facts.scalars(folder)),
        # Read while the step changes them: by chance before or after.
        "scalars~": facts.scalars(folder),
        "metrics": facts.plain(model.evaluate(input_fn, steps=8)),
        "files": facts.files(folder),
    }
    if more:
        model.train(input_fn, steps=6)
        found["later"] = facts.values(folder)
    return found


def run(estimator, folder):
    binary = (np.arange(ROWS) % 3 > 0).astype("int64")[:, None]
    numbers = np.linspace(0, 3, ROWS, dtype="float32")[:, None]
    found = {}
    for name, make, labels, options in (
        (
            "shrunk",
            estimator.LinearClassifier,
            binary,
            {
                "symmetric_l1_regularization": 0.3,
                "symmetric_l2_regularization": 2.0,
                "num_loss_partitions": 2,
                "num_table_shards": 3,
            },
        ),
        ("regressor", estimator.LinearRegressor, numbers, {}),
    ):
        path = os.path.join(folder, name)
        model = make(
            _columns(),
            weight_column=None if name == "shrunk" else "w",
            optimizer=estimator.experimental.LinearSDCA("id", **options),
            config=estimator.RunConfig(model_dir=path, save_summary_steps=1, tf_random_seed=1),
        )
        found[name] = _life(model, _input(labels), path, more=name == "shrunk")
    found["errors"] = _errors(estimator, _input(binary))
    return found


def _errors(estimator, input_fn):
    classifier, regressor = estimator.LinearClassifier, estimator.LinearRegressor
    sdca = estimator.experimental.LinearSDCA
    numeric = [tf.feature_column.numeric_column("price")]
    matrix = [tf.feature_column.numeric_column("pair", [2, 1])]
    found = {
        "classes": facts.error(classifier, numeric, n_classes=3, optimizer=sdca("id")),
        "combiner": facts.error(classifier, numeric, optimizer=sdca("id"), sparse_combiner="mean"),
        "dimension": facts.error(regressor, numeric, label_dimension=2, optimizer=sdca("id")),
        "regressor_combiner": facts.error(
            regressor, numeric, optimizer=sdca("id"), sparse_combiner="mean"
        ),
        "l2": facts.error(
            classifier(numeric, optimizer=sdca("id", symmetric_l2_regularization=0.0)).train,
            input_fn,
            steps=1,
        ),
        "l1": facts.error(
            classifier(numeric, optimizer=sdca("id", symmetric_l1_regularization=-1.0)).train,
            input_fn,
            steps=1,
        ),
        "no_ids": facts.error(classifier(numeric, optimizer=sdca("none")).train, input_fn, steps=1),
        "rank": facts.error(classifier(matrix, optimizer=sdca("id")).train, input_fn, steps=1),
    }
    return {
        **{name: error and error[0] for name, error in found.items()},
        "texts~": {name: error and error[1] for name, error in found.items()},
    }
