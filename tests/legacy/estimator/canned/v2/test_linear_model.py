"""Tests of the linear model against values computed by hand."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.estimator.canned.v2.linear_model import LinearModel, LinearModelLayer

tf1 = tf.compat.v1
fc = tf.feature_column


def logits(columns, features, weights, **kwargs):
    """Returns a model's logits after its variables are set to values by name."""
    with tf.Graph().as_default():
        model = LinearModel(columns, name="linear_model", **kwargs)
        result = model(features)
        variables = {v.name.split(":")[0]: v for v in tf1.global_variables()}
        assert {name: v.shape.as_list() for name, v in variables.items()} == {
            name: list(np.shape(value)) for name, value in weights.items()
        }
        with tf1.Session() as session:
            session.run([tf1.global_variables_initializer(), tf1.tables_initializer()])
            assert not np.any(session.run(result))  # All weights begin at zero.
            for name, value in weights.items():
                variables[name].load(value, session)
            return session.run(result)


@pytest.mark.parametrize(
    ("combiner", "words"), [("sum", 3.0), ("mean", 1.5), ("sqrtn", 3 / np.sqrt(2))]
)
def test_dense_and_categorical(combiner, words):
    columns = [
        fc.numeric_column("x", shape=(2,)),
        fc.categorical_column_with_vocabulary_list("word", ["a", "b"]),
    ]
    features = {"x": [[1.0, 10.0], [0.0, 1.0]], "word": np.array([["a", "b"], ["?", ""]])}
    weights = {
        "linear_model/x/weights": [[1.0, -1.0], [0.5, 0.0]],
        "linear_model/word/weights": [[1.0, 0.0], [2.0, 0.0]],
        "linear_model/bias_weights": [100.0, 200.0],
    }
    expected = [[100 + 6 + words, 199.0], [100.5, 200.0]]
    found = logits(columns, features, weights, units=2, sparse_combiner=combiner)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_weighted_and_crossed():
    ids = fc.categorical_column_with_identity("an id", 3)
    columns = [
        fc.weighted_categorical_column(ids, "weight"),
        fc.crossed_column(["an id", "other"], 1),
    ]
    features = {
        "an id": np.array([[0, 2], [1, 1]]),
        "other": np.array([["u"], ["v"]]),
        "weight": np.array([[2.0, 1.0], [0.5, 0.5]], np.float32),
    }
    weights = {
        "linear_model/an_id_weighted_by_weight/weights": [[1.0], [10.0], [100.0]],
        "linear_model/an_id_X_other/weights": [[1000.0]],
        "linear_model/bias_weights": [0.0],
    }
    # Each example has two crosses, and all fall into the only bucket.
    assert logits(columns, features, weights).tolist() == [[2102.0], [2010.0]]


def test_partitions_and_reuse():
    with tf.Graph().as_default():
        scope = tf1.variable_scope(
            "linear", reuse=tf1.AUTO_REUSE, partitioner=tf1.fixed_size_partitioner(2)
        )
        features = {"x": tf.ones([1, 4])}
        with scope:
            for _ in range(2):
                model = LinearModel([fc.numeric_column("x", shape=(4,))], name="linear_model")
                model(features)
        names = ["linear/linear_model/x/weights/part_0:0", "linear/linear_model/x/weights/part_1:0"]
        assert [v.name for v in tf1.global_variables()][:2] == names
        assert [v.name for v in model.layer.partitioned_weights] == names


def test_refused():
    with pytest.raises(ValueError, match="either a DenseColumn or CategoricalColumn"):
        LinearModel([fc.sequence_numeric_column("x")])
    with tf.Graph().as_default():
        model = LinearModel([fc.numeric_column("x"), fc.numeric_column("y")])
        with pytest.raises(ValueError, match="We expected a dictionary here. Instead we got"):
            model([[1.0]])
        with pytest.raises(ValueError, match="Batch size"):
            model({"x": tf.ones([2, 1]), "y": tf.ones([3, 1])})


def test_a_layer_comes_back_from_its_config():
    columns = [fc.categorical_column_with_identity("b", 3), fc.numeric_column("a")]
    layer = LinearModelLayer(columns, 2, "mean", trainable=False, name="frozen")
    config = layer.get_config()
    assert [each["config"].get("key") for each in config["feature_columns"]] == ["a", "b"]
    again = LinearModelLayer.from_config(config)
    assert again.get_config() == config
    assert (again.name, again.trainable) == ("frozen", False)


def test_a_keras_model_of_its_own():
    with tf.Graph().as_default() as graph:
        model = LinearModel([fc.numeric_column("a")], trainable=False)
        model({"a": [[1.0]]})
        assert len(model.variables) == 2
        assert not graph.get_collection("trainable_variables")
    model = LinearModel([fc.numeric_column("a")])
    model.compile(optimizer=tf1.train.GradientDescentOptimizer(0.1), loss="mse")
    x, y = np.float32([[0], [1], [2]]), np.float32([[1], [3], [5]])
    model.fit({"a": x}, y, epochs=50, batch_size=3, verbose=0)
    np.testing.assert_allclose(model.predict({"a": x}, verbose=0), y, atol=0.5)
