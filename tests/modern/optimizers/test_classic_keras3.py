"""Tests that optimizers of Keras 3 take the steps of old optimizers, with each backend."""

import os

import numpy as np
import pytest
import tensorflow as tf

from modern.optimizers import classic_keras3
from modern.process.chosen_keras import keras
from tests.cluster import core
from tests.migrate.programs import legacy_bert_optimization
from tests.modern import programs
from tests.modern.optimizers import stepped
from tests.modern.optimizers.stepped import GRADIENTS, VALUES

pytestmark = pytest.mark.keras(3)
tf1 = tf.compat.v1


@pytest.fixture(scope="module", params=["jax", "torch"])
def of_backend(request):
    """Returns the values after the steps with another backend, by optimizer."""
    pytest.importorskip(request.param)  # `make install` has only JAX.
    environment = core.whole_environment({**os.environ, "KERAS_BACKEND": request.param})
    return programs.printed_by("tests.modern.optimizers.stepped", environment=environment)


@pytest.mark.parametrize("name", stepped.makers())
def test_each_backend_takes_the_same_steps(name, of_backend):
    found = stepped.values_after_steps(stepped.makers()[name])
    np.testing.assert_allclose(of_backend["variables"][name], found, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", stepped.OF_TABLES)
def test_each_backend_leaves_unused_rows_of_a_table_alone(name, of_backend):
    found = stepped.table_after_steps(stepped.makers()[name])
    np.testing.assert_allclose(of_backend["tables"][name], found, rtol=1e-6, atol=1e-7)
    assert found[2] == [1.5, -0.5]


def old_values(make, gradients, names=("a/kernel",)):
    """Returns the values of variables after steps of an old optimizer in a session."""
    with tf.Graph().as_default(), tf1.Session() as session:
        step = tf1.train.get_or_create_global_step()
        variables = [
            tf1.get_variable(name, initializer=tf.constant(VALUES), use_resource=True)
            for name in names
        ]
        fed = [tf1.placeholder(tf.float32, (2, 2)) for _ in variables]
        train = make(step).apply_gradients(zip(fed, variables, strict=True))
        with tf.control_dependencies([train]):
            train = step.assign_add(1)
        session.run(tf1.global_variables_initializer())
        for gradient in gradients:
            session.run(train, dict.fromkeys(fed, gradient))
        return session.run(variables)


def new_values(optimizer, gradients, names=("a/kernel",)):
    variables = []
    for name in names:
        scope, _, last = name.rpartition("/")
        with keras.name_scope(scope):
            variables.append(keras.Variable(VALUES, dtype="float32", name=last))
    for gradient in gradients:
        optimizer.apply([tf.constant(gradient)] * len(variables), variables)
    return [variable.numpy() for variable in variables]


def old_rate(step):
    return tf1.train.piecewise_constant(step, [1], [0.5, 0.1])


def new_rate():
    return keras.optimizers.schedules.PiecewiseConstantDecay([1], [0.5, 0.1])


def test_momentum_with_a_stepped_rate():
    expected = old_values(lambda step: tf1.train.MomentumOptimizer(old_rate(step), 0.9), GRADIENTS)
    found = new_values(classic_keras3.Momentum(new_rate(), 0.9), GRADIENTS)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    # SGD of Keras goes on at the old rate for some steps.
    others = new_values(keras.optimizers.SGD(new_rate(), momentum=0.9), GRADIENTS)
    assert np.abs(np.subtract(others, expected)).max() > 0.1


def test_momentum_of_rows():
    optimizer = classic_keras3.Momentum(0.5)
    table = keras.Variable(np.ones([3, 1], np.float32))
    for ids in ([0, 1], [1]):
        rows = tf.IndexedSlices(tf.ones([len(ids), 1]), tf.constant(ids), tf.constant([3, 1]))
        optimizer.apply([rows], [table])
    # The slot of row 0 would move it in the second step, too, if the gradient was whole.
    np.testing.assert_allclose(table.numpy()[:, 0], [0.5, 1 - 0.5 - 0.5 * 1.9, 1.0])


NAMES = ("dense/kernel", "dense/bias", "LayerNorm/gamma")


def test_adam_with_weight_decay_is_that_of_bert():
    excluded = ["LayerNorm", "layer_norm", "bias"]
    expected = old_values(
        lambda step: legacy_bert_optimization.AdamWeightDecayOptimizer(
            old_rate(step), weight_decay_rate=0.1, exclude_from_weight_decay=excluded
        ),
        GRADIENTS,
        NAMES,
    )
    found = new_values(classic_keras3.AdamWeightDecay(new_rate(), 0.1), GRADIENTS, NAMES)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert np.abs(found[0] - found[1]).max() > 1e-2  # The kernel decays, and the others do not.
    np.testing.assert_array_equal(found[1], found[2])


def test_clipping_counts_each_row_that_was_read():
    """With TensorFlow. Other backends have only the sums of the rows."""
    values, shape = tf.constant([[3.0, 0.0], [0.0, 4.0], [3.0, 0.0]]), tf.constant([3, 2])
    rows = tf.IndexedSlices(values, tf.constant([0, 1, 0]), shape)
    (clipped,), norm = tf.clip_by_global_norm([rows], 1.0)
    assert float(norm) == pytest.approx(34**0.5)  # That of the sums is 52 ** 0.5.
    table = keras.Variable(np.ones((3, 2), np.float32))
    optimizer = classic_keras3.AdamWeightDecay(0.1, global_clipnorm=1.0)
    optimizer.apply([rows], [table])
    expected = 0.1 * tf.convert_to_tensor(clipped)
    np.testing.assert_allclose(optimizer.m[0].numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["Momentum", "AdamWeightDecay"])
def test_a_saved_model_finds_its_optimizer(name, tmp_path):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile(getattr(classic_keras3, name)(0.25), "mse")
    model.optimizer.build(model.trainable_variables)
    model.save(tmp_path / "m.keras")
    loaded = keras.saving.load_model(tmp_path / "m.keras")
    assert type(loaded.optimizer) is getattr(classic_keras3, name)
    assert loaded.optimizer.get_config() == model.optimizer.get_config()
