"""contrib.estimator's RNNClassifier and RNNEstimator: cells, context, sequences of labels."""

import os

from tests.oracle import facts

APIS = ("contrib",)

PRICES = [[1.0, 0.5, -1.0], [2.0, 0.0, 0.0], [0.3, 0.6, 0.0], [-1.0, 1.0, 2.0]]
TOKENS = [["a", "b", "c"], ["a", "", ""], ["d", "a", ""], ["c", "c", "a"]]
LENGTHS = [3, 1, 2, 3]


def _sparse(tf, values, kind):
    positions = [(row, step) for row, length in enumerate(LENGTHS) for step in range(length)]
    flat = [values[row][step] for row, step in positions]
    return tf.SparseTensor(positions, tf.constant(flat, kind), [4, 3])


def _input(tf, labels):
    def input_fn():
        features = {
            "price": _sparse(tf, PRICES, tf.float32),
            "token": _sparse(tf, TOKENS, tf.string),
            "context": tf.constant([[0.1, 0.2], [0.0, 1.0], [1.0, -1.0], [0.5, 0.5]]),
            "w": tf.constant([[1.0], [2.0], [0.5], [1.0]]),
        }
        return features if labels is None else (features, tf.constant(labels))

    return input_fn


def _columns(tf):
    column = tf.contrib.feature_column
    tokens = column.sequence_categorical_column_with_hash_bucket("token", 5)
    return [column.sequence_numeric_column("price"), tf.feature_column.embedding_column(tokens, 2)]


def _life(tf, model, input_fn):
    found = facts.ten_more_steps(model, input_fn)
    predicted = model.predict(_input(tf, None))
    found["predictions"] = facts.plain([p for _, p in zip(range(4), predicted)])
    found["class"] = type(model).__name__
    return found


def _first_step(model, input_fn):
    model.train(input_fn, steps=1)
    return facts.variables(model.model_dir)


def _layer(tf):
    """The input layer alone: its shapes, its variables, and columns that it refuses."""
    column = tf.contrib.feature_column
    words = column.sequence_categorical_column_with_vocabulary_list("token", ["a", "b", "c"])
    columns = [
        tf.feature_column.indicator_column(words),
        tf.feature_column.embedding_column(words, 2, initializer=tf.ones_initializer()),
        column.sequence_numeric_column("price"),
    ]
    layer = column.sequence_input_layer
    with tf.Graph().as_default():
        features = _input(tf, None)()
        inputs, lengths = layer(features, columns, weight_collections=["mine"], trainable=False)
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            values = session.run([inputs, lengths])
        context = tf.feature_column.numeric_column("context", 2)
        return {
            "values": facts.plain(values),
            "dtypes": [inputs.dtype.name, lengths.dtype.name],
            "variables": [v.op.name for v in tf.global_variables()],
            "trained": [v.op.name for v in tf.trainable_variables()],
            "collection": [v.op.name for v in tf.get_collection("mine")],
            "names": sorted(name for name in dir(column) if name.startswith("sequence_")),
            "refused": [
                facts.error(layer, features, [context])[0],
                facts.error(layer, features, [words])[0],
                facts.error(layer, features, [])[0],
            ],
        }


def run(tf, folder):
    estimator = tf.contrib.estimator

    def config(name):
        return tf.estimator.RunConfig(
            model_dir=os.path.join(folder, name), save_summary_steps=1, tf_random_seed=1
        )

    def cells(mode):
        kinds = [tf.nn.rnn_cell.LSTMCell(3), tf.nn.rnn_cell.GRUCell(2)]
        return tf.nn.rnn_cell.MultiRNNCell(kinds)

    binary = estimator.RNNClassifier(
        _columns(tf), num_units=[3], weight_column="w", config=config("binary")
    )
    words = estimator.RNNClassifier(
        _columns(tf),
        context_feature_columns=[tf.feature_column.numeric_column("context", 2)],
        rnn_cell_fn=cells,
        n_classes=3,
        label_vocabulary=["x", "y", "z"],
        optimizer=lambda: tf.train.AdamOptimizer(0.1),
        config=config("words"),
    )
    regressor = estimator.RNNEstimator(
        estimator.regression_head(),
        _columns(tf),
        num_units=[3, 2],
        cell_type="gru",
        optimizer=tf.train.GradientDescentOptimizer(0.1),
        config=config("regressor"),
    )
    return {
        "binary": _life(tf, binary, _input(tf, [[0], [1], [1], [0]])),
        "words": _first_step(words, _input(tf, [["x"], ["y"], ["z"], ["x"]])),
        "regressor": _first_step(regressor, _input(tf, [[0.5], [1.0], [0.0], [2.0]])),
        "steps": _each_step(tf, config("steps")),
        "layer": _layer(tf),
        "errors": _errors(tf, config("errors")),
    }


def _each_step(tf, config):
    from tensorflow_estimator.python.estimator.head import binary_class_head, sequential_head

    head = sequential_head.SequentialHeadWrapper(binary_class_head.BinaryClassHead())
    model = tf.contrib.estimator.RNNEstimator(
        head,
        _columns(tf),
        num_units=[3],
        cell_type="lstm",
        return_sequences=True,
        config=config,
    )
    return _first_step(model, _input(tf, [[1, 0, 1], [0, 0, 0], [1, 1, 0], [0, 0, 1]]))


def _errors(tf, config):
    classifier, network = tf.contrib.estimator.RNNClassifier, tf.contrib.estimator.RNNEstimator
    head = tf.contrib.estimator.regression_head()
    labels = _input(tf, [[0], [1], [1], [0]])
    columns = _columns(tf)

    def trained(**arguments):
        return facts.error(classifier(columns, config=config, **arguments).train, labels, steps=1)

    found = {
        "both": facts.error(classifier, columns, num_units=[2], rnn_cell_fn=lambda mode: None),
        "type_and_fn": facts.error(
            classifier, columns, cell_type="lstm", rnn_cell_fn=lambda mode: None
        ),
        "head": facts.error(network, head, columns, num_units=[2], return_sequences=True),
        "cell_name": trained(num_units=[2], cell_type="other"),
        "no_units": trained(),
        "optimizer": trained(num_units=[2], optimizer="other"),
        "features": facts.error(
            classifier(columns, num_units=[2], config=config).train,
            lambda: (tf.ones([2, 3]), tf.ones([2, 1])),
            steps=1,
        ),
    }
    return {
        **{name: error and error[0] for name, error in found.items()},
        "texts~": {name: error and error[1] for name, error in found.items()},
    }
