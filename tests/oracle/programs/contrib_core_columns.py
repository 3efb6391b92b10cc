"""The columns of contrib.layers in tf.estimator's canned models, and in tf.feature_column."""

import os

from tests.oracle import facts

APIS = ("contrib",)


def _input(tf):
    words = tf.SparseTensor([[0, 0], [1, 0], [1, 1], [2, 0]], ["a", "b", "c", "a"], [4, 2])
    weights = tf.SparseTensor([[0, 0], [1, 0], [1, 1], [2, 0]], [1.0, 0.5, 2.0, 1.0], [4, 2])
    features = {
        "x": tf.constant([[1.0, 2.0], [-1.0, 0.5], [0.0, 1.0], [3.0, -2.0]]),
        "age": tf.constant([20.0, 40.0, 60.0, 33.0]),
        "words": words,
        "weights": weights,
        "ids": tf.constant([[1], [2], [0], [1]], tf.int64),
    }
    return features, tf.constant([[0], [1], [1], [0]])


def _columns(tf):
    layers = tf.contrib.layers
    words = layers.sparse_column_with_hash_bucket("words", 5)
    keys = layers.sparse_column_with_keys("words", ["a", "b"])
    age = layers.bucketized_column(layers.real_valued_column("age"), [30.0, 50.0])
    ids = layers.sparse_column_with_integerized_feature("ids", 4)
    wide = [
        layers.real_valued_column("x", 2, normalizer=lambda x: x / 2),
        age,
        words,
        ids,
        layers.weighted_sparse_column(keys, "weights"),
        layers.crossed_column([age, words], 7),
    ]
    deep = [
        layers.real_valued_column("x", 2),
        age,
        layers.embedding_column(words, 3),
        layers.one_hot_column(ids),
    ]
    return wide, deep


def _layers(tf):
    """Returns the tensors that tf.feature_column makes of them."""
    wide, deep = _columns(tf)
    with tf.Graph().as_default():
        features, _ = _input(tf)
        net = tf.feature_column.input_layer(features, deep, weight_collections=["mine"])
        logits = tf.feature_column.linear_model(features, wide, units=2)
        mixed = tf.feature_column.input_layer(
            features, [deep[0], tf.feature_column.numeric_column("age")]
        )
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            shapes = [list(each.shape) for each in session.run([net, logits, mixed])]
            return {
                "shapes": shapes,
                "variables": {v.op.name: v.shape.as_list() for v in tf.global_variables()},
                "collection": [v.op.name for v in tf.get_collection("mine")],
                "mixed": facts.plain(session.run(mixed)),
            }


def _specs(tf):
    wide, deep = _columns(tf)
    spec = tf.feature_column.make_parse_example_spec(wide + deep)
    return {name: [type(each).__name__, each.dtype.name] for name, each in spec.items()}


def _refused(tf, folder):
    layers = tf.contrib.layers
    words = layers.sparse_column_with_hash_bucket("words", 5)

    def train(kind, column):
        arguments = {"hidden_units": [2]} if "DNN" in kind.__name__ else {}
        model = kind(feature_columns=[column], model_dir=folder, **arguments)
        model.train(lambda: _input(tf), steps=1)

    return [
        facts.error(train, tf.estimator.DNNClassifier, words)[0],
        facts.error(train, tf.estimator.LinearClassifier, layers.one_hot_column(words)),
        facts.error(train, tf.estimator.LinearClassifier, layers.embedding_column(words, 2))
        is None,
    ]


def run(tf, folder):
    wide, deep = _columns(tf)

    def config(name):
        return tf.estimator.RunConfig(
            model_dir=os.path.join(folder, name), save_summary_steps=1, tf_random_seed=1
        )

    estimators = {
        "linear": tf.estimator.LinearClassifier(wide, config=config("linear")),
        "dnn": tf.estimator.DNNClassifier([3], deep, config=config("dnn")),
    }
    found = {}
    for name in sorted(estimators):
        found[name] = facts.ten_more_steps(estimators[name], lambda: _input(tf))
        # Into how many parts a checkpoint is cut is TensorFlow's own affair.
        del found[name]["files"]
    found["layers"] = _layers(tf)
    found["specs"] = _specs(tf)
    found["refused"] = _refused(tf, os.path.join(folder, "refused"))
    return found
