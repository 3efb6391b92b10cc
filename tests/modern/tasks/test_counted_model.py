"""Tests that a step trains like Keras' own and counts the examples that it consumes."""

import numpy as np
import pytest
import tensorflow as tf

from modern.jobs import linear_regression as job
from modern.jobs import wide_deep
from modern.model_files import weights
from modern.optimizers import chosen
from modern.process.chosen_keras import keras
from modern.records import digests, progress
from modern.tasks import counted_model

pytestmark = pytest.mark.keras(2, 3)


def fit(model, batches, **arguments):
    if not isinstance(model, counted_model.TrainingModel):
        arguments["shuffle"] = False  # Keras 3 warns of data that shuffle themselves.
    return model.fit(batches, verbose=0, **arguments)


def test_an_epochs_loss_is_its_mean_as_keras_reports_it():
    histories = []
    for wrapped in (False, True):
        keras.utils.set_random_seed(1)
        model = job.build_model()
        batches = job.train_input_fn(job.load_data("synthetic"), 32, seed=0)
        if wrapped:
            model = counted_model.TrainingModel.of(model, counted_model.Counters(1))
            batches = counted_model.tag(batches, 0)
        model.compile(job.make_optimizer(0.01), job.make_loss(), steps_per_execution=5)
        history = fit(model, batches, epochs=3, steps_per_epoch=10)
        histories.append(history.history["loss"])
    np.testing.assert_allclose(*histories, rtol=1e-5)


def expected_digest(steps):
    batches = job.train_input_fn(job.load_data("synthetic"), 32, seed=0).take(steps)
    return float(sum(digests.of_batch(*batch) for batch in batches))


def trained(gradient_compression="none", steps=20, **compile_arguments):
    """Returns weights, counters and history after some steps of the smallest job."""
    keras.utils.set_random_seed(1)
    counters = counted_model.Counters(2)
    model = counted_model.TrainingModel.of(job.build_model(), counters, gradient_compression)
    model.compile(job.make_optimizer(0.01), job.make_loss(), **compile_arguments)
    batches = job.train_input_fn(job.load_data("synthetic"), 32, seed=0)
    history = model.fit(counted_model.tag(batches, 1), steps_per_epoch=steps, verbose=0)
    return model.get_weights(), counters.read(), history.history


def test_it_trains_like_keras():
    keras.utils.set_random_seed(1)
    model = job.build_model()
    model.compile(job.make_optimizer(0.01), job.make_loss())
    fit(model, job.train_input_fn(job.load_data("synthetic"), 32, seed=0), steps_per_epoch=20)
    for ours, theirs in zip(trained()[0], model.get_weights(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"steps_per_execution": 10},
        {"steps_per_execution": 8},  # The last execution has 4.
        {"jit_compile": True},
    ],
)
def test_examples_and_loss_are_counted(arguments):
    values, count, history = trained(**arguments)
    assert count.examples.tolist() == [0, 20 * 32]
    assert count.digests[0] == 0.0
    assert count.digests[1] == pytest.approx(expected_digest(20), rel=digests.TOLERANCE)
    assert count.loss_sum / (20 * 32) == pytest.approx(history["loss"][0], rel=1e-4)
    for ours, theirs in zip(values, trained()[0], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_compression_rounds_and_no_more(dtype):
    exact, narrow = trained()[0][0], trained(dtype)[0][0]
    assert narrow.dtype == np.float32
    assert (exact != narrow).any()
    np.testing.assert_allclose(exact, narrow, atol=0.01)


def test_the_model_shares_the_jobs_layers():
    plain = job.build_model()
    wrapped = counted_model.TrainingModel.of(plain, counted_model.Counters(1))
    assert [*weights.parts_of(wrapped)] == ["linear/kernel", "linear/bias"]
    assert wrapped.weights[0] is plain.weights[0]  # The counters are not among the weights.


def test_regularization_is_in_the_loss():
    layer = keras.layers.Dense(1, kernel_initializer="ones", kernel_regularizer="l2")
    counters = counted_model.Counters(1)
    plain = keras.Sequential([keras.Input((10,)), layer])
    model = counted_model.TrainingModel.of(plain, counters)
    model.compile(chosen.SGD(0.0), job.make_loss())
    zeros = tf.data.Dataset.from_tensors((tf.zeros([4, 10]), tf.zeros([4, 1])))
    model.fit(counted_model.tag(zeros, 0), steps_per_epoch=1, verbose=0)
    assert counters.read().loss_sum == pytest.approx(4 * 0.01 * 10)


@pytest.mark.parametrize(
    ("steps", "variables", "unrolled"),
    [
        (10, 6, 5),
        (9, 6, 3),
        (10, 30, 5),
        (10, 74, 2),
        (10, 500, 1),
        (7, 30, 7),
        (7, 41, 1),
        (1, 6, 1),
        (3, 0, 3),
    ],
)
def test_a_worker_unrolls_fewer_steps_of_many_variables(steps, variables, unrolled):
    assert counted_model.unrolled_steps(steps, variables) == unrolled


def test_a_tag_goes_with_each_example():
    batches = tf.data.Dataset.from_tensors((tf.zeros([4, 10]), tf.zeros([4, 1])))
    for trainer in (3, tf.constant(3)):
        tagged = counted_model.tag(batches, trainer)
        assert tagged.element_spec[2].shape == (4,)
        assert next(iter(tagged))[2].numpy().tolist() == [3] * 4


def test_steps_that_were_not_counted():
    """Of ten steps, a worker was lost after three, which another one made again."""
    counters = counted_model.Counters(1)
    for steps in (4, 3):
        count = counters.of_step(tf.constant(0), tf.constant(32 * steps), tf.constant(0.5))
        counters.add(count, steps)
    samples = [progress.take(100, (0,), 0.0), progress.take(110, (7 * 32,), 0.0)]
    assert counters.read().steps == 7
    assert counted_model.uncounted_steps(counters.read(), samples) == 3


@pytest.mark.parametrize("module", [job, wide_deep])
def test_a_step_is_traced_once(module):
    traces = []

    class Model(counted_model.TrainingModel):
        def train_step(self, data):
            traces.append(1)
            return super().train_step(data)

    model = Model.of(module.build_model(), counted_model.Counters(1))
    model.compile(module.make_optimizer(0.01), module.make_loss(), steps_per_execution=2)
    batches = module.train_input_fn(module.load_data(module.DATASETS[0]), 8, seed=0)
    model.fit(counted_model.tag(batches, 0), steps_per_epoch=4, verbose=0)
    assert len(traces) == 1
