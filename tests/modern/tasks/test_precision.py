"""Tests of mixed precision: layers, the training of each job, and overflow."""

import importlib

import numpy as np
import pytest
import tensorflow as tf

from modern.jobs import linear_regression
from modern.model_files import checkpoints
from modern.optimizers import loss_scaling
from modern.process import choices, chosen_keras
from modern.process.chosen_keras import keras
from modern.tasks import counted_model, precision
from modern.tasks.job import DocumentedJob, LearningRate

pytestmark = pytest.mark.keras(2, 3)

FACTOR = 2.0**10  # With it, no step of these jobs overflows.
NARROW = ["mixed_bfloat16", "mixed_float16"]


@pytest.mark.parametrize("name", NARROW)
def test_layers_compute_in_16_bits_and_keep_their_weights(name):
    with precision.of_layers(name):
        layer = keras.layers.Dense(1)
    outputs = layer(tf.ones([1, 2]))
    assert outputs.dtype.name == name.removeprefix("mixed_")
    assert tf.as_dtype(layer.kernel.dtype) == tf.float32
    assert keras.layers.Dense(1)(tf.ones([1, 2])).dtype == tf.float32


def test_no_precision_changes_nothing():
    with precision.of_layers("none"):
        assert keras.mixed_precision.global_policy().name == "float32"


@pytest.mark.keras(2)  # With Keras 3, `compile` is told who scales.
@pytest.mark.parametrize("keras_scales", [False, True])
def test_one_of_keras_and_this_project_scales_the_loss(keras_scales):
    with precision.of_layers("mixed_float16", keras_scales):
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    scaled = isinstance(model.optimizer, keras.mixed_precision.LossScaleOptimizer)
    assert scaled == keras_scales


def trained(job_name, mixed, compression="none", steps=3, damage=None):
    """Returns the training model after some steps, and its counters."""
    keras.utils.set_random_seed(0)
    module = importlib.import_module(f"modern.jobs.{job_name}")
    arrays = module.load_data(module.DATASETS[0] if job_name != "resnet56_cifar10" else "digits")
    job = DocumentedJob(module, arrays, LearningRate(), compression, 8, mixed)
    counters = counted_model.Counters(1)
    model = job.training_model(counters, 1)
    if mixed == choices.SCALED_PRECISION:
        model.loss_scale = loss_scaling.LossScale(FACTOR)
    batches = job.train_batches(8, 0, 1, 0, 0)
    batches = batches if damage is None else batches.map(damage)
    model.fit(counted_model.tag(batches, 0), steps_per_epoch=steps, verbose=0)
    return model, counters.read()


@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("job_name", ["linear_regression", "mnist_cnn", "wide_deep"])
def test_each_job_trains_nearly_as_in_float32(job_name, name):
    exact, exact_count = trained(job_name, "none")
    narrow, count = trained(job_name, name)
    assert all(tf.as_dtype(weight.dtype) == tf.float32 for weight in narrow.weights)
    assert count.loss_sum == pytest.approx(exact_count.loss_sum, rel=0.02)
    assert count.loss_sum != exact_count.loss_sum
    for ours, theirs in zip(narrow.get_weights(), exact.get_weights(), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=0.03)
    assert int(narrow.optimizer.iterations.numpy()) == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", NARROW)
def test_batch_normalization_trains_in_16_bits(name, monkeypatch):
    monkeypatch.setattr(
        importlib.import_module("modern.jobs.resnet56_cifar10"), "BLOCKS_PER_STAGE", 1
    )
    _, exact = trained("resnet56_cifar10", "none", steps=1)
    _, count = trained("resnet56_cifar10", name, steps=1)
    assert count.loss_sum == pytest.approx(exact.loss_sum, rel=0.05)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_compression_and_a_scaled_loss_together(dtype):
    exact, _ = trained("linear_regression", "mixed_float16", steps=20)
    narrow, _ = trained("linear_regression", "mixed_float16", dtype, steps=20)
    # The gradients have been float16 already.
    is_same = np.array_equal(exact.get_weights()[0], narrow.get_weights()[0])
    assert is_same == (dtype == "float16")
    np.testing.assert_allclose(exact.get_weights()[0], narrow.get_weights()[0], atol=0.02)


def test_the_scale_of_a_training_is_saved(tmp_path):
    model, _ = trained("linear_regression", "mixed_float16")
    path = checkpoints.Checkpoints(model, str(tmp_path), keep=1).save()
    reader = tf.train.load_checkpoint(path)
    place = "loss_scale" if chosen_keras.version() == 3 else "model/loss_scale"
    key = f"{place}/{{}}/.ATTRIBUTES/VARIABLE_VALUE".format
    assert reader.get_tensor(key("_good_steps")) == 3
    assert reader.get_tensor(key("_factor")) == FACTOR


def has_diverged(model):
    adapter = counted_model.CountedAdapter(model, model.counters)
    return adapter.has_diverged(adapter.sample(), None)


def test_a_loss_of_nan_still_ends_the_training_and_leaves_the_weights():
    model, _ = trained(
        "linear_regression", "mixed_float16", steps=1, damage=lambda x, y: (x, y * np.nan)
    )
    assert has_diverged(model)
    assert not any(np.isnan(weight).any() for weight in model.get_weights())


def test_a_scaled_loss_is_counted_unscaled_and_an_overflow_is_no_nan():
    """A slope that float16 cannot hold skips a step. The loss of that step is finite."""

    def damage(features, labels):
        return features, labels + 300.0

    model, count = trained("linear_regression", "mixed_float16", steps=1, damage=damage)
    # The slope of an example's loss, 2 * 300 / 8, overflows float16 with the factor.
    assert float(model.loss_scale.factor()) == FACTOR / 2
    assert int(model.optimizer.iterations.numpy()) == 1
    assert not has_diverged(model)
    assert count.loss_sum / 8 == pytest.approx(300.0**2, rel=0.05)
    keras.utils.set_random_seed(0)
    before = linear_regression.build_model()
    for ours, theirs in zip(model.get_weights(), before.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
