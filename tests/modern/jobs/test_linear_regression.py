"""Tests of the smallest job: its model and data, and that it learns the line."""

import numpy as np
import pytest

from modern.data import linear
from modern.jobs import linear_regression as job
from modern.model_files import weights
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)


def test_model():
    model = job.build_model()
    assert model.count_params() == 11
    assert [*weights.parts_of(model)] == ["linear/kernel", "linear/bias"]
    assert model(np.zeros((3, 10), np.float32)).shape == (3, 1)


def test_batches():
    arrays = job.load_data("synthetic")
    features, targets = next(iter(job.train_input_fn(arrays, 32, seed=0)))
    assert features.shape == (32, 10)
    assert targets.shape == (32, 1)
    assert sum(len(y) for _, y in job.eval_input_fn(arrays, 100)) == 512


def test_loss_is_the_mean_square():
    assert float(job.make_loss()([[1.0], [2.0]], [[1.0], [5.0]])) == 4.5
    assert job.make_metrics() == []


def test_it_learns_the_line():
    keras.utils.set_random_seed(0)
    arrays = job.load_data("synthetic")
    model = job.build_model()
    rate = job.make_learning_rate(job.LEARNING_RATE)
    assert rate == 0.01
    model.compile(job.make_optimizer(rate), job.make_loss(), steps_per_execution=100)
    batches = job.train_input_fn(arrays, 32, seed=0)
    model.fit(batches, steps_per_epoch=600, verbose=0, shuffle=False)
    kernel, bias = model.get_weights()
    np.testing.assert_allclose(kernel, linear.WEIGHTS, atol=0.03)
    np.testing.assert_allclose(bias, linear.BIAS, atol=0.03)
