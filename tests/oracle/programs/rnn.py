"""RNNClassifier and RNNEstimator: cells, layers, context, sequences of labels, weights."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v2",)

tf1 = tf.compat.v1

PRICES = [[1.0, 0.5, -1.0], [2.0, 0.0, 0.0], [0.3, 0.6, 0.0], [-1.0, 1.0, 2.0]]
LENGTHS = [3, 1, 2, 3]


def _sparse(values, kind):
    positions = [(row, step) for row, length in enumerate(LENGTHS) for step in range(length)]
    flat = [values[row][step] for row, step in positions]
    return tf.sparse.SparseTensor(positions, tf.constant(flat, kind), [4, 3])


def _features():
    tokens = [["a", "b", "c"], ["a", "", ""], ["d", "a", ""], ["c", "c", "a"]]
    return {
        "price": _sparse(PRICES, tf.float32),
        "token": _sparse(tokens, tf.string),
        "context": tf.constant([[0.1, 0.2], [0.0, 1.0], [1.0, -1.0], [0.5, 0.5]]),
        "w": tf.constant([[1.0], [2.0], [0.5], [1.0]]),
        "step_w": tf.ones([4, 3]) * [[1.0], [2.0], [0.5], [1.0]],
    }


def _input(labels, without=()):
    def input_fn():
        features = {k: v for k, v in _features().items() if k not in without}
        data = features if labels is None else (features, np.array(labels))
        return tf.data.Dataset.from_tensors(data).repeat()

    return input_fn


def _columns():
    column = tf.feature_column
    tokens = column.sequence_categorical_column_with_hash_bucket("token", 5)
    return [column.sequence_numeric_column("price"), column.embedding_column(tokens, 2)]


def _receiver(estimator):
    examples = tf1.placeholder(tf.string, [None])
    spec = {"price": tf.io.VarLenFeature(tf.float32), "token": tf.io.VarLenFeature(tf.string)}
    parsed = tf.io.parse_example(examples, spec)
    return estimator.export.ServingInputReceiver(parsed, {"examples": examples})


def _first_step(model, input_fn):
    model.train(input_fn, steps=1)
    return {
        "variables": facts.variables(model.model_dir),
        "class": [c.__name__ for c in type(model).__mro__[:2]],
    }


def _life(model, input_fn, receiver=None):
    found = facts.ten_more_steps(model, input_fn)
    predicted = model.predict(_input(None))
    found["predictions"] = facts.plain([p for _, p in zip(range(4), predicted)])
    if receiver:
        path = model.export_saved_model(os.path.join(model.model_dir, "export"), receiver)
        found["signatures"] = facts.signatures(tf.compat.as_str(path))
    return found


def run(estimator, folder):
    experimental = estimator.experimental

    def config(name):
        return estimator.RunConfig(
            model_dir=os.path.join(folder, name), save_summary_steps=1, tf_random_seed=1
        )

    binary = experimental.RNNClassifier(
        _columns(), units=[3], weight_column="w", config=config("binary")
    )
    words = experimental.RNNClassifier(
        _columns(),
        context_feature_columns=[tf.feature_column.numeric_column("context", 2)],
        rnn_cell_fn=lambda: [tf.keras.layers.LSTMCell(3), tf.keras.layers.SimpleRNNCell(2)],
        n_classes=3,
        label_vocabulary=["x", "y", "z"],
        optimizer=lambda: tf.keras.optimizers.legacy.Adam(0.1),
        config=config("words"),
    )
    steps = experimental.RNNClassifier(
        _columns(),
        units=[3],
        return_sequences=True,
        weight_column="step_w",
        config=config("steps"),
    )
    regressor = experimental.RNNEstimator(
        estimator.RegressionHead(),
        _columns(),
        units=3,
        cell_type="gru",
        optimizer="SGD",
        config=config("regressor"),
    )
    each_step = [[1, 0, 1], [0, 0, 0], [1, 1, 0], [0, 0, 1]]
    return {
        "binary": _life(binary, _input([[0], [1], [1], [0]]), lambda: _receiver(estimator)),
        "words": _first_step(words, _input([["x"], ["y"], ["z"], ["x"]])),
        "steps": _life(steps, _input(each_step)),
        "regressor": _first_step(regressor, _input([[0.5], [1.0], [0.0], [2.0]])),
        "errors": _errors(estimator, config("errors")),
    }


def _errors(estimator, config):
    classifier = estimator.experimental.RNNClassifier
    labels = _input([[0], [1], [1], [0]])
    found = {
        "both": facts.error(classifier, _columns(), units=[2], rnn_cell_fn=lambda: None),
        "type_and_fn": facts.error(
            classifier, _columns(), cell_type="lstm", rnn_cell_fn=lambda: None
        ),
        "head": facts.error(
            estimator.experimental.RNNEstimator,
            estimator.RegressionHead(),
            _columns(),
            units=[2],
            return_sequences=True,
        ),
        "cell_name": facts.error(
            classifier(_columns(), units=[2], cell_type="other", config=config).train,
            labels,
            steps=1,
        ),
        "cell_class": facts.error(
            classifier(
                _columns(), units=[2], cell_type=lambda units: object(), config=config
            ).train,
            labels,
            steps=1,
        ),
        "no_units": facts.error(classifier(_columns(), config=config).train, labels, steps=1),
        "mask_name": facts.error(
            classifier, _columns(), units=[2], return_sequences=True, sequence_mask=3
        ),
        "features": facts.error(
            classifier(_columns(), units=[2], config=config).train,
            lambda: (tf.ones([2, 3]), tf.ones([2, 1])),
            steps=1,
        ),
    }
    return {
        **{name: error and error[0] for name, error in found.items()},
        "texts~": {name: error and error[1] for name, error in found.items()},
    }
