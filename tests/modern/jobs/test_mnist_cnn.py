"""Tests of the digits network: its size, its loss, its pixels."""

import math

import numpy as np
import pytest
import tensorflow as tf

from modern.data import ArrayDataset
from modern.jobs import mnist_cnn as job
from modern.model_files import weights

pytestmark = pytest.mark.keras(2, 3)


def test_model():
    model = job.build_model()
    conv, hidden, logits = 3 * 3 * 32 + 32, 26 * 26 * 32 * 128 + 128, 128 * 10 + 10
    assert model.count_params() == conv + hidden + logits == 2_770_634
    assert [*weights.parts_of(model)] == [
        "conv/kernel", "conv/bias", "hidden/kernel", "hidden/bias", "logits/kernel", "logits/bias"
    ]  # fmt: skip
    assert model(np.zeros((3, 28, 28), np.float32)).shape == (3, 10)


def test_batches_are_scaled_pixels():
    images = np.full((20, 28, 28), 255, np.uint8)
    arrays = ArrayDataset("made", images, np.arange(20) % 10, images, np.arange(20) % 10)
    for batches in (job.train_input_fn(arrays, 8, seed=0), job.eval_input_fn(arrays, 8)):
        features, labels = next(iter(batches))
        assert features.dtype == tf.float32
        assert features.shape == (8, 28, 28)
        assert float(tf.reduce_min(features)) == float(tf.reduce_max(features)) == 1.0
        assert labels.dtype == tf.int64


def test_the_default_data_is_embedded():
    arrays = job.load_data(job.DATASETS[0])
    assert arrays.name == "digits"
    assert arrays.train_features.shape[1:] == (28, 28)


def test_loss_takes_logits():
    loss = job.make_loss()
    assert float(loss(tf.constant([3]), tf.zeros([1, 10]))) == pytest.approx(math.log(10))
    certain = tf.constant([[0.0, 100.0] + [0.0] * 8])
    assert float(loss(tf.constant([1]), certain)) == pytest.approx(0, abs=1e-6)


def test_accuracy():
    (accuracy,) = job.make_metrics()
    accuracy.update_state([1, 2], [[0.0, 9.0, 0.0], [0.0, 9.0, 0.0]])
    assert accuracy.name == "accuracy"
    assert float(accuracy.result()) == 0.5


def test_learning_rate_is_constant():
    assert job.BATCH_SIZE == 64
    assert job.make_learning_rate(job.LEARNING_RATE) == 0.001
    assert float(job.make_optimizer(0.5).learning_rate) == 0.5
