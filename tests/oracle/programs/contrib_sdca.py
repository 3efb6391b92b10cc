"""contrib.linear_optimizer's SDCAOptimizer in contrib.learn's linear models, and its SVM."""

import os

from tests.oracle import facts

APIS = ("contrib",)


def _input(tf, labels):
    """One example: among several the solver chooses at random."""
    words = tf.SparseTensor([[0, 0], [0, 1], [0, 2]], ["a", "z", "a"], [1, 3])
    weights = tf.SparseTensor([[0, 0], [0, 1], [0, 2]], [1.0, 0.5, 2.0], [1, 3])
    features = {
        "example_id": tf.constant(["1"]),
        "x": tf.constant([[1.0, -2.0]]),
        "age": tf.constant([[40.0]]),
        "words": words,
        "weights": weights,
        "w": tf.constant([[2.0]]),
    }
    return features, tf.constant(labels)


def _columns(tf):
    layers = tf.contrib.layers
    age = layers.bucketized_column(layers.real_valued_column("age"), [30.0, 50.0])
    keys = layers.sparse_column_with_keys("words", ["a", "b"])
    words = layers.sparse_column_with_hash_bucket("words", 5)
    return [
        layers.real_valued_column("x", 2),
        age,
        words,
        layers.weighted_sparse_column(keys, "weights"),
        layers.crossed_column([age, words], 7),
    ]


def _life(tf, model, labels):
    def input_fn():
        return _input(tf, labels)

    model.fit(input_fn=input_fn, steps=5)
    folder = model.model_dir
    names = [name for name in facts.variables(folder) if "HashTable" not in name]
    found = {
        "variables": {name: facts.variables(folder)[name] for name in names},
        "tables": sorted(set(facts.variables(folder)) - set(names)),
        "values": {name: facts.values(folder)[name] for name in names},
        "metrics": facts.plain(model.evaluate(input_fn=input_fn, steps=1)),
        "scalars": sorted(facts.scalars(folder)),
        "predicted": facts.plain(list(model.predict(input_fn=input_fn))),
    }
    if hasattr(model, "predict_classes"):
        found["classes"] = facts.plain(list(model.predict_classes(input_fn=input_fn)))
    return found


def run(tf, folder):
    learn = tf.contrib.learn
    sdca = tf.contrib.linear_optimizer.SDCAOptimizer

    def config(name):
        return learn.RunConfig(
            model_dir=os.path.join(folder, name), save_summary_steps=1, tf_random_seed=1
        )

    columns = _columns(tf)
    svm = learn.SVM(
        "example_id",
        columns,
        weight_column_name="w",
        l1_regularization=0.1,
        l2_regularization=1.5,
        config=config("svm"),
    )
    classifier = learn.LinearClassifier(
        columns,
        optimizer=sdca("example_id", symmetric_l1_regularization=0.05, num_table_shards=2),
        weight_column_name="w",
        config=config("classifier"),
    )
    regressor = learn.LinearRegressor(
        columns[:2], optimizer=sdca("example_id"), enable_centered_bias=True, config=config("reg")
    )
    optimizer = sdca("id", 2, 3, 0.1, 0.2, False, None)
    return {
        "svm": _life(tf, svm, [[1]]),
        "classifier": _life(tf, classifier, [[1]]),
        "regressor": _life(tf, regressor, [[0.5]]),
        "optimizer": [
            optimizer.get_name(),
            optimizer.example_id_column,
            optimizer.num_loss_partitions,
            optimizer.num_table_shards,
            optimizer.symmetric_l1_regularization,
            optimizer.symmetric_l2_regularization,
            optimizer.adaptive,
            optimizer.partitioner,
        ],
        "errors": _errors(tf, columns, sdca("example_id"), config),
    }


def _errors(tf, columns, optimizer, config):
    learn, layers = tf.contrib.learn, tf.contrib.layers
    embedded = layers.embedding_column(columns[2], 2)
    negative = tf.contrib.linear_optimizer.SDCAOptimizer(
        "example_id", symmetric_l2_regularization=-1.0
    )

    def fitted(columns, optimizer):
        model = learn.LinearClassifier(columns, optimizer=optimizer, config=config("errors"))
        model.fit(input_fn=lambda: _input(tf, [[1]]), steps=1)

    found = {
        "classes": facts.error(learn.LinearClassifier, columns, n_classes=3, optimizer=optimizer),
        "bias": facts.error(
            learn.LinearClassifier, columns, optimizer=optimizer, enable_centered_bias=True
        ),
        "joint": facts.error(
            learn.LinearClassifier, columns, optimizer=optimizer, _joint_weight=True
        ),
        "dimension": facts.error(
            learn.LinearRegressor, columns, label_dimension=2, optimizer=optimizer
        ),
        "estimator": facts.error(
            learn.LinearEstimator, columns, learn.regression_head(), optimizer=optimizer
        ),
        "kernels": facts.error(learn.SVM, "example_id", columns, kernels=[1]),
        "column": facts.error(fitted, [embedded], optimizer),
        "l2": facts.error(fitted, columns, negative),
    }
    return {
        **{name: error and error[0] for name, error in found.items()},
        "texts~": {name: error and error[1] for name, error in found.items()},
    }
