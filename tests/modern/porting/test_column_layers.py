"""Tests of layers for columns: negative ids are left out, features may be as columns took them."""

import numpy as np
import pytest
import tensorflow as tf

from modern import porting
from modern.model_files import weights
from modern.porting import column_layers, float_types
from modern.process import chosen_keras
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)

TABLE = tf.constant_initializer([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]])


@pytest.fixture(autouse=True, params=["cast", "kept"])
def _float_types(request):
    """Runs each test as after keep_float_types(), too: ids do not decide the type of weights."""
    if chosen_keras.version() == 3:
        if request.param == "kept":
            pytest.skip("Keras 3 does not keep float types.")
        yield
        return
    if request.param == "kept":
        porting.keep_float_types()
    yield
    float_types.cast_float_types()


@pytest.mark.parametrize(
    ("combiner", "expected"),
    [
        ("sum", [[8.0, 13.0], [3.0, 5.0], [0.0, 0.0]]),
        ("mean", [[4.0, 6.5], [3.0, 5.0], [0.0, 0.0]]),
        ("sqrtn", [[8.0 / 2**0.5, 13.0 / 2**0.5], [3.0, 5.0], [0.0, 0.0]]),
    ],
)
def test_a_bag_combines_the_ids_that_are_there(combiner, expected):
    bag = column_layers.EmbeddingBag(3, 2, TABLE, combiner=combiner)
    np.testing.assert_allclose(bag(tf.constant([[0, 2], [-1, 1], [-1, -1]])), expected)


def test_a_bag_weighs_ids():
    bag = column_layers.EmbeddingBag(3, 2, TABLE, combiner="sum")
    found = bag(tf.constant([[0, 2], [-1, 1]]), weights=tf.constant([[2.0, 0.5], [9.0, 1.0]]))
    np.testing.assert_allclose(found, [[5.5, 9.5], [3.0, 5.0]])


def test_an_id_that_is_too_large_is_an_error():
    bag = column_layers.EmbeddingBag(3, 2)
    with pytest.raises(tf.errors.InvalidArgumentError):
        bag(tf.constant([[3]]))


def test_tables_begin_as_those_of_embedding_columns():
    table = column_layers.EmbeddingBag(1000, 16)
    table.build(None)
    values = table.embeddings.numpy()
    assert (
        np.abs(values).max() <= 2 * 0.25
    )  # A normal of deviation 1 / sqrt(16) is truncated at two deviations.
    assert abs(values.std() - 0.22) < 0.01


def test_only_rows_that_are_looked_up_have_gradients():
    bag = column_layers.EmbeddingBag(100, 2)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(bag(tf.constant([[4, -1], [7, 4]])))
    (gradient,) = tape.gradient(loss, bag.trainable_variables)
    assert sorted(set(gradient.indices.numpy().tolist())) == [4, 7]


def test_a_linear_model_adds_up_its_columns():
    linear = column_layers.Linear(1, {"id": 3}, name="linear_model")
    features = {"number": tf.constant([[2.0], [3.0]]), "id": tf.constant([[0, 1], [-1, -1]])}
    assert linear(features).numpy().tolist() == [[0.0], [0.0]]
    names = [*weights.parts_by_name(linear.variables)]
    assert names == [
        f"linear_model/{name}" for name in ("id/weights", "number/weights", "bias_weights")
    ]
    values = ([[1.0], [10.0], [100.0]], [[0.5]], [7.0])
    linear.set_weights([np.array(one) for one in values])
    np.testing.assert_allclose(linear(features), [[19.0], [8.5]])


def test_a_baseline_is_as_long_as_the_batch():
    baseline = column_layers.Baseline(2)
    assert baseline({"a": tf.zeros([3, 4]), "b": tf.zeros([3])}).shape == (3, 2)


def test_features_may_be_more_and_flatter_than_the_inputs():
    inputs = {"a": keras.Input([1], name="a"), "b": keras.Input([1], name="b")}
    total = keras.layers.Add()([inputs["a"], inputs["b"]])
    layer = column_layers.FromFeatures(inputs, total)
    features = {"b": 3 * tf.ones([2, 1]), "a": tf.constant([1.0, 2.0]), "c": tf.zeros([2])}
    assert layer(features).numpy().tolist() == [[4.0], [5.0]]
    assert layer({**features, "b": tf.ones([2])}).numpy().tolist() == [[2.0], [3.0]]
    with pytest.raises(KeyError):
        layer({"a": tf.zeros([2])})


@pytest.mark.parametrize(
    "layer",
    [
        column_layers.EmbeddingBag(3, 2, combiner="sum", name="bag"),
        column_layers.Linear(2, {"id": 3}, "mean", name="linear"),
        column_layers.Baseline(2, name="baseline"),
    ],
)
def test_layers_are_made_again_from_their_configuration(layer):
    assert type(layer).from_config(layer.get_config()).get_config() == layer.get_config()
