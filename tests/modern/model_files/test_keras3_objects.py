"""Tests that a checkpoint of Keras 3 is found again by the names of its variables."""

import numpy as np
import pytest
import tensorflow as tf

from modern.jobs import linear_regression as job
from modern.model_files import checkpoints, keras3_objects
from modern.optimizers import chosen
from modern.process.chosen_keras import keras
from modern.tasks import counted_model

pytestmark = pytest.mark.keras(3)


def model_with(optimizer, model=None):
    model = model or counted_model.TrainingModel.of(job.build_model(), counted_model.Counters(1))
    model.compile(optimizer, job.make_loss())
    return model


def test_a_sequential_model_reads_the_weights_of_a_functional_one(tmp_path):
    trained = model_with(chosen.SGD(0.1))
    path = checkpoints.Checkpoints(trained, str(tmp_path), keep=1).save()
    plain = job.build_model()
    assert (plain.get_weights()[0] != trained.get_weights()[0]).any()
    assert checkpoints.restore_for_evaluation(plain, path) == 0
    for ours, theirs in zip(plain.get_weights(), trained.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_positions_would_read_nothing_and_say_nothing(tmp_path):
    """This is why the names are needed."""
    trained = model_with(chosen.SGD(0.1))
    path = tf.train.Checkpoint(model=trained).write(str(tmp_path / "by-position"))
    plain = job.build_model()
    before = plain.get_weights()[0]
    tf.train.Checkpoint(model=plain).restore(path).expect_partial()
    np.testing.assert_array_equal(plain.get_weights()[0], before)
    assert (before != trained.get_weights()[0]).any()


def names_of(optimizer):
    objects = keras3_objects.of(model_with(optimizer, job.build_model()))
    return {*tf.train.TrackableView(objects["optimizer"]).children(objects["optimizer"])}


def test_each_variable_of_an_optimizer_has_its_name():
    slots = {"linear/kernel/accumulator", "linear/bias/accumulator"}
    # The second model and optimizer of a process have other names, and their variables the same.
    for _ in range(2):
        found = names_of(chosen.Adagrad(0.1))
        assert found == slots | {"iteration", "learning_rate"}
    found = names_of(chosen.ByLayer({"linear": chosen.Adagrad(0.1)}))
    assert found == slots | {"linear/iteration", "linear/learning_rate"}


class Twice(keras.layers.Layer):
    """Adds two numbers, to which it gives the same name."""

    def build(self, shape):
        self.first = self.add_weight(name="number")
        self.second = self.add_weight(name="number")

    def call(self, x):
        return x + self.first + self.second


def test_two_weights_of_one_name_are_refused():
    model = keras.Sequential([keras.Input((2,)), Twice(name="twice")])
    with pytest.raises(checkpoints.CheckpointError, match="2 weights .* the name twice/number"):
        keras3_objects.weights_of(model)
