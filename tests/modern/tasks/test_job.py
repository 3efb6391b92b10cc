"""Tests of documented jobs: their learning rates, batches and models."""

import itertools

import numpy as np
import pytest

from modern.jobs import linear_regression
from modern.model_files import weights
from modern.tasks import counted_model
from modern.tasks.job import DocumentedJob, LearningRate

pytestmark = pytest.mark.keras(2, 3)


@pytest.mark.parametrize(
    ("rate", "step", "expected"),
    [
        (LearningRate(), 0, linear_regression.LEARNING_RATE),
        (LearningRate(0.5, is_scaled=True), 0, 2.0),
        # In the middle of a warm-up from 0.5 to 2, and halfway to the end.
        (LearningRate(0.5, True, 10), 5, 1.25),
        (LearningRate(0.5, True, decay="linear", train_steps=20), 10, 1.0),
        (LearningRate(0.5, True, 10, "linear", 20), 5, 1.25 * 0.75),
    ],
)
def test_the_rate_for_four_trainers(rate, step, expected):
    found = rate.of(linear_regression, replicas=4)
    assert float(found(step) if callable(found) else found) == pytest.approx(expected)


@pytest.fixture(scope="module")
def job():
    arrays = linear_regression.load_data("synthetic")
    return DocumentedJob(linear_regression, arrays, LearningRate(0.25), batch_size=8)


def test_a_continued_training_reads_what_comes_next(job):
    def labels(first_step):
        batches = job.train_batches(job.batch_size(), 1, 1, 0, first_step)
        return [labels.numpy() for _, labels in itertools.islice(batches, 3)]

    assert labels(0)[0].shape == (8, 1)
    np.testing.assert_array_equal(labels(2)[0], labels(0)[2])


def test_the_training_begins_with_the_given_weights(job, tmp_path):
    model = job.training_model(counted_model.Counters(1), replicas=1)
    kernel = np.arange(10, dtype=np.float32).reshape(10, 1)
    values = {"linear/kernel": kernel, "linear/bias": np.ones(1, np.float32)}
    weights.save(str(tmp_path / "initial"), values)
    job.load_initial(model, str(tmp_path / "initial"))

    np.testing.assert_array_equal(model.trainable_variables[0], kernel)
    assert float(model.optimizer.learning_rate) == 0.25
    assert (job.name, job.dataset) == ("linear_regression", "synthetic")
