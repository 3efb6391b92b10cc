"""Tests of values for the `optimizer` argument."""

import pytest
import tensorflow as tf
import tf_keras

from legacy.estimator.canned import optimizers

tf1 = tf.compat.v1
new = tf_keras.optimizers
legacy = tf_keras.optimizers.legacy


@pytest.mark.parametrize("name", ["Adagrad", "Adam", "Ftrl", "RMSProp", "SGD"])
def test_names(name):
    v1 = optimizers.get_optimizer_instance(name, learning_rate=0.25)
    assert isinstance(v1, tf1.train.Optimizer)
    v2 = optimizers.get_optimizer_instance_v2(name, learning_rate=0.25)
    assert isinstance(v2, legacy.Optimizer)
    assert v2.get_config()["learning_rate"] == 0.25
    default = type(v2)().get_config()["learning_rate"]
    assert optimizers.get_optimizer_instance_v2(name).get_config()["learning_rate"] == default


def test_instances_and_callables_are_taken_as_they_are():
    v1, v2 = tf1.train.AdamOptimizer(), legacy.Adam()
    assert optimizers.get_optimizer_instance(v1) is v1
    assert optimizers.get_optimizer_instance(lambda: v1) is v1
    assert optimizers.get_optimizer_instance_v2(v2) is v2
    assert optimizers.get_optimizer_instance_v2(lambda: v2) is v2


def test_refused():
    for get in (optimizers.get_optimizer_instance, optimizers.get_optimizer_instance_v2):
        with pytest.raises(ValueError, match="Unsupported optimizer name: Adamm"):
            get("Adamm", learning_rate=0.1)
        with pytest.raises(ValueError, match=r"The given object is not an? .*Optimizer instance"):
            get(3)
    with pytest.raises(ValueError, match="learning_rate must be specified"):
        optimizers.get_optimizer_instance("Adam")
    with pytest.raises(ValueError, match="not an Optimizer instance"):
        optimizers.get_optimizer_instance(legacy.Adam())
    with pytest.raises(ValueError, match=r"not a tf.keras.optimizers.Optimizer instance"):
        optimizers.get_optimizer_instance_v2(tf1.train.AdamOptimizer())


def test_a_new_keras_optimizer_becomes_the_legacy_one():
    prepared = optimizers.prepared(new.SGD(0.3, momentum=0.9, nesterov=True, clipnorm=2.0))()
    assert isinstance(prepared, legacy.SGD)
    config = prepared.get_config()
    assert config["learning_rate"] == pytest.approx(0.3)
    assert (config["momentum"], config["nesterov"], config["clipnorm"]) == (0.9, True, 2.0)
    decaying = optimizers.prepared(new.Adam(new.schedules.ExponentialDecay(0.1, 10, 0.5)))()
    assert decaying.get_config()["learning_rate"]["config"]["decay_rate"] == 0.5
    with pytest.raises(ValueError, match=r"instance of `tf.keras.optimizers.legacy.Optimizer`"):
        optimizers.prepared(new.AdamW())


def test_a_callable_may_make_a_new_keras_optimizer_in_the_graph():
    with tf.Graph().as_default():
        made = optimizers.get_optimizer_instance_v2(lambda: new.Adam(0.25, beta_1=0.5))
        rate = tf1.train.exponential_decay(0.1, tf1.train.create_global_step(), 1, 0.5)
        decaying = optimizers.get_optimizer_instance_v2(lambda: new.SGD(rate))
        # The variables of the new Keras optimizers are gone, so they are not initialized or saved.
        assert [v.name for v in tf1.global_variables()] == ["global_step:0"]
        with tf1.Session() as session:
            session.run(tf1.global_variables_initializer())
            session.run(tf1.assign_add(tf1.train.get_global_step(), 1))
            assert session.run(decaying.learning_rate) == pytest.approx(0.05)
    assert isinstance(made, legacy.Adam)
    assert (made.get_config()["learning_rate"], made.get_config()["beta_1"]) == (0.25, 0.5)


@pytest.mark.parametrize("kind", [legacy.Adam, new.Adam])
def test_each_graph_gets_a_copy_of_an_optimizer(kind):
    make = optimizers.prepared(kind(0.25))
    for _ in range(2):
        with tf.Graph().as_default():
            optimizer = optimizers.get_optimizer_instance_v2(make)
            optimizer.iterations = tf1.train.create_global_step()
            weight = tf1.get_variable("weight", [])
            optimizer.apply_gradients([(tf.ones([]), weight)])


@pytest.mark.parametrize("optimizer", ["Adam", None])
def test_all_else_stays(optimizer):
    assert optimizers.prepared(optimizer) is optimizer


def test_a_training_optimizer_increments_the_global_step():
    with tf.Graph().as_default():
        optimizer = optimizers.training_optimizer("SGD", 0.5)
        assert optimizer.iterations is tf1.train.get_global_step()
