"""Tests that bags of words are those of tf.contrib.layers.bow_encoder."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy.contrib import layers
from modern import porting
from modern.porting import float_types

tf1 = tf.compat.v1
TABLE = np.arange(12, dtype=np.float32).reshape(4, 3) ** 2
IDS = np.array([[1, 2, 0, 0], [3, 3, 1, 0], [0, 0, 0, 0]], np.int64)


@pytest.fixture(autouse=True, params=["cast", "kept"])
def _float_types(request):
    """Runs each test as after keep_float_types(), too: ids do not decide the type of weights."""
    if request.param == "kept":
        porting.keep_float_types()
    yield
    float_types.cast_float_types()


def _of_contrib(ids, sparse_lookup):
    with tf.Graph().as_default(), tf1.Session() as session:
        initializer = tf1.constant_initializer(TABLE)
        means = layers.bow_encoder(tf.constant(ids), 4, 3, sparse_lookup, initializer=initializer)
        session.run(tf1.global_variables_initializer())
        names = [variable.op.name for variable in tf1.global_variables()]
        return session.run(means), names


@pytest.mark.parametrize("sparse_lookup", [True, False])
def test_means_are_those_of_contrib(sparse_lookup):
    layer = porting.BagOfWords(
        *(4, 3, sparse_lookup),
        embeddings_initializer=tf_keras.initializers.Constant(TABLE),
        name="bow_encoder",
    )
    means, names = _of_contrib(IDS, sparse_lookup)
    np.testing.assert_array_equal(layer(tf.constant(IDS)), means)
    assert [weight.name for weight in layer.weights] == [f"{name}:0" for name in names]
    if sparse_lookup:
        sparse = layer(tf.sparse.from_dense(IDS))
        np.testing.assert_array_equal(sparse, means)


def test_embeddings_train_and_are_regularized():
    layer = porting.BagOfWords(4, 3, embeddings_regularizer="l2")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.constant(IDS))) + sum(layer.losses)
    (gradient,) = tape.gradient(loss, layer.trainable_weights)
    assert gradient.shape == (4, 3)


def test_sparse_ids_need_a_sparse_lookup():
    layer = porting.BagOfWords(4, 3, sparse_lookup=False, name="words")
    with pytest.raises(TypeError, match="words: the ids are sparse"):
        layer(tf.sparse.from_dense(IDS))
