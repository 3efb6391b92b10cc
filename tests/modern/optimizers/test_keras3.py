"""Tests of the optimizers of Keras 3: the same steps as those of tf_keras."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern.optimizers import chosen
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(3)

legacy = tf_keras.optimizers.legacy
CASES = {
    "SGD": {"learning_rate": 0.5},
    "SGD with momentum": {"learning_rate": 0.5, "momentum": 0.9},
    "Adagrad": {"learning_rate": 0.5, "initial_accumulator_value": 0.2},
    "Ftrl": {"learning_rate": 0.5, "l1_regularization_strength": 0.1},
}
GRADIENTS = [[[1.0, 2.0], [3.0, 4.0], [0.0, 0.5]], [[0.5, 0.0], [1.0, -1.0], [0.2, 0.2]]]


def rows(values):
    """Returns a gradient of two distinct rows, the first of which comes twice."""
    return tf.IndexedSlices(values, tf.constant([2, 0, 2]), tf.constant([4, 2]))


def trained(optimizer, variable, kind, gradients):
    @tf.function
    def step(values):
        def of_replica():
            optimizer.apply_gradients([(kind(tf.identity(values)), variable)])

        tf.distribute.get_strategy().run(of_replica)

    for values in gradients:
        step(tf.constant(values))
    return variable.numpy()


@pytest.mark.parametrize("make", [tf.distribute.get_strategy, tf.distribute.MirroredStrategy])
@pytest.mark.parametrize("kind", [tf.identity, rows], ids=["dense", "rows"])
@pytest.mark.parametrize("name", CASES)
def test_steps_are_those_of_tf_keras(name, kind, make):
    size = 3 if kind is tf.identity else 4
    start = np.linspace(-1.0, 1.0, 2 * size, dtype=np.float32).reshape(size, 2)
    cls = name.partition(" ")[0]
    with make().scope():
        ours = chosen.__dict__[cls](**CASES[name])
        found = trained(ours, keras.Variable(start), kind, GRADIENTS)
        expected = trained(getattr(legacy, cls)(**CASES[name]), tf.Variable(start), kind, GRADIENTS)
    np.testing.assert_array_equal(found, expected)
    assert int(ours.iterations.numpy()) == len(GRADIENTS)


def test_rows_without_a_gradient_stay():
    optimizer = chosen.Adagrad(0.5)
    found = trained(optimizer, keras.Variable(np.ones([4, 2], np.float32)), rows, GRADIENTS)
    np.testing.assert_array_equal(found[[1, 3]], np.ones([2, 2]))


def test_a_step_is_counted_by_one_operation():
    """Another worker may write between the read and the write of Keras."""
    from modern.optimizers import keras3  # It needs Keras 3.

    optimizer = keras.optimizers.Adam()
    keras3.count_every_step(optimizer)

    @tf.function
    def step():
        optimizer.iterations.assign_add(1)

    step()
    assert int(optimizer.iterations.numpy()) == 1
    kinds = {operation.type for operation in step.get_concrete_function().graph.get_operations()}
    assert "AssignAddVariableOp" in kinds
    assert not {"ReadVariableOp", "AssignVariableOp"} & kinds


@pytest.mark.parametrize("name", CASES)
def test_the_configuration_makes_the_same_optimizer(name):
    cls = chosen.__dict__[name.partition(" ")[0]]
    config = cls(**CASES[name]).get_config()
    assert cls.from_config(config).get_config() == config
    assert config["learning_rate"] == 0.5


class TestByLayer:
    """Each variable has the optimizer of its layer."""

    @staticmethod
    def variables():
        with keras.name_scope("a"):
            a = keras.Variable([1.0], name="kernel")
        with keras.name_scope("b"):
            return a, keras.Variable([1.0], name="kernel")

    def test_each_variable_takes_its_own_step(self):
        a, b = self.variables()
        optimizer = chosen.ByLayer({"a": chosen.SGD(0.1), "b": chosen.Adagrad(0.5)})
        optimizer.apply_gradients([(tf.constant([2.0]), a), (tf.constant([2.0]), b)])
        alone = tf.Variable([1.0])
        legacy.Adagrad(0.5).apply_gradients([(tf.constant([2.0]), alone)])
        np.testing.assert_allclose(a, [0.8])
        np.testing.assert_allclose(b, alone)
        assert int(optimizer.iterations.numpy()) == 1

    def test_an_optimizer_serves_the_layers_of_a_scope(self):
        with keras.name_scope("dnn_logits"):
            a = keras.Variable([1.0], name="kernel")
        with keras.name_scope("dnn_2_logits"):
            b = keras.Variable([1.0], name="kernel")
        optimizer = chosen.ByLayer({"dnn": chosen.SGD(0.1), "dnn_2": chosen.SGD(0.2)})
        optimizer.apply_gradients([(tf.constant([2.0]), a), (tf.constant([2.0]), b)])
        np.testing.assert_allclose(a, [0.8])
        np.testing.assert_allclose(b, [0.6])

    def test_a_variable_of_no_layer(self):
        a, b = self.variables()
        optimizer = chosen.ByLayer({"a": chosen.SGD(0.1)})
        with pytest.raises(ValueError, match="b/kernel belongs to no optimizer.*: a|layers a"):
            optimizer.apply_gradients([(tf.constant([2.0]), a), (tf.constant([2.0]), b)])
