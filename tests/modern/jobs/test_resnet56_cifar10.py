"""Tests of ResNet-56: the paper's size, augmentation, weight decay and schedule."""

import numpy as np
import pytest
import tensorflow as tf

from modern.data import ArrayDataset
from modern.jobs import resnet56_cifar10 as job
from modern.model_files import weights
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(2, 3)


@pytest.fixture(scope="module")
def model():
    return job.build_model()


def test_parameters(model):
    counts = [np.prod(v.shape) for v in model.trainable_weights]
    # He et al. 2015, table 6: 0.85 million for 56 layers.
    assert sum(counts) == 853_018
    convs = [layer for layer in model.layers if isinstance(layer, keras.layers.Conv2D)]
    assert len(convs) + 1 == 56
    assert not any(layer.use_bias for layer in convs)


def test_shapes(model):
    assert model(np.zeros((2, 32, 32, 3), np.float32)).shape == (2, 10)
    sizes = [
        tuple(layer.output.shape[1:])
        for layer in model.layers
        if layer.name
        in ("first_conv", "stage1_block9_bn2", "stage2_block1_bn2", "stage3_block9_bn2")
    ]
    assert sizes == [(32, 32, 16), (32, 32, 16), (16, 16, 32), (8, 8, 64)]


def test_weight_decay_is_the_papers(model):
    parts = weights.parts_of(model).items()
    decayed = [variable for name, (variable,) in parts if name.endswith("/kernel")]
    expected = sum(job.WEIGHT_DECAY / 2 * float(tf.reduce_sum(v**2)) for v in decayed)
    assert len(model.losses) == 56
    assert float(tf.add_n(model.losses)) == pytest.approx(expected, rel=1e-4)


def picture():
    """Returns pixels that encode their place: channel 0 is the row, 1 the column, 2 always one."""
    rows, columns = np.meshgrid(np.arange(32), np.arange(32), indexing="ij")
    return np.stack([rows + 1, columns + 1, np.ones((32, 32))], -1).astype(np.float32)


def test_augmentation_crops_and_flips():
    images = np.tile(picture(), (400, 1, 1, 1))
    seen, flips = set(), 0
    augmented, labels = job.augment(images, tf.range(400), tf.constant([3, 4], tf.int64))
    assert labels.numpy().tolist() == list(range(400))
    for image in augmented.numpy():
        flipped = bool((np.diff(image[16, 8:24, 1]) < 0).all())
        flips += flipped
        image = image[:, ::-1] if flipped else image
        # The place that pixel (16, 16) has in the padded picture tells where the crop begins.
        row, column = int(image[16, 16, 0]) - 17, int(image[16, 16, 1]) - 17
        padded = np.pad(picture(), [(4, 4), (4, 4), (0, 0)])
        np.testing.assert_array_equal(image, padded[row + 4 : row + 36, column + 4 : column + 36])
        seen.add((row, column))
    assert {r for r, _ in seen} == {c for _, c in seen} == set(range(-4, 5))
    assert 150 < flips < 250


def test_augmentation_is_decided_by_the_seed():
    images = np.tile(picture(), (20, 1, 1, 1))
    one, again, other = (
        job.augment(images, tf.range(20), tf.constant([seed, 0], tf.int64))[0].numpy()
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_batches():
    images = np.random.default_rng(0).integers(0, 256, (24, 32, 32, 3)).astype(np.uint8)
    arrays = ArrayDataset("made", images, np.arange(24) % 10, images, np.arange(24) % 10)
    features, labels = next(iter(job.train_input_fn(arrays, 8, 0, trainers=2, trainer=1)))
    assert features.shape == (8, 32, 32, 3)
    assert labels.shape == (8,)
    assert -1 <= float(tf.reduce_min(features)) < -0.9
    assert 0.9 < float(tf.reduce_max(features)) <= 1
    clean, _ = next(iter(job.eval_input_fn(arrays, 24)))
    np.testing.assert_allclose(clean, images / 127.5 - 1, atol=1e-6)

    def last(first_step, count):
        batches = job.train_input_fn(arrays, 8, 0, first_step=first_step).take(count)
        return list(batches.as_numpy_iterator())[-1][0]

    np.testing.assert_array_equal(last(0, 5), last(4, 1))
    assert (last(0, 1) != last(0, 4)).any()


def test_learning_rate_falls_as_in_the_paper():
    schedule = job.make_learning_rate(0.1)
    steps = [0, 32_000, 32_001, 48_000, 48_001, 64_000]
    rates = [float(schedule(tf.constant(step))) for step in steps]
    np.testing.assert_allclose(rates, [0.1, 0.1, 0.01, 0.01, 0.001, 0.001], rtol=1e-5)


def test_optimizer_has_momentum():
    variable = tf.Variable(0.0)
    optimizer = job.make_optimizer(1.0)
    for expected in (-1.0, -1.0 - 1.9):
        optimizer.apply_gradients([(tf.constant(1.0), variable)])
        assert float(variable.numpy()) == pytest.approx(expected)
