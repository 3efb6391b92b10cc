"""Tests that converted optimizer state, such as momentum, continues a training both ways."""

import os

import numpy as np
import pytest
import tensorflow as tf

from migrate.checkpoint import Options, convert, open_source, slot_names
from migrate.checkpoint.naming import slots
from modern.process import chosen_keras, cli
from modern.process.chosen_keras import keras
from tests.migrate.checkpoint import small

train = tf.compat.v1.train
new = keras.optimizers
KINDS = ("legacy", "new", "classic")
if chosen_keras.version() == 2:
    from modern.optimizers import classic

    legacy = new.legacy
BOTH = pytest.mark.keras(2, 3)
RATE = 0.05

# v1 optimizer -> its Keras counterparts with the same hyperparameters.
PAIRS = {
    "gradient_descent": (
        lambda: train.GradientDescentOptimizer(RATE),
        [lambda: legacy.SGD(RATE), lambda: new.SGD(RATE)],
    ),
    "momentum": (
        lambda: train.MomentumOptimizer(RATE, 0.9),
        [
            lambda: legacy.SGD(RATE, 0.9),
            lambda: new.SGD(RATE, 0.9),
            lambda: classic.Momentum(RATE, 0.9),
        ],
    ),
    "nesterov": (
        lambda: train.MomentumOptimizer(RATE, 0.9, use_nesterov=True),
        [
            lambda: legacy.SGD(RATE, 0.9, True),
            lambda: new.SGD(RATE, 0.9, True),
            lambda: classic.Momentum(RATE, 0.9, use_nesterov=True),
        ],
    ),
    "adam": (
        lambda: train.AdamOptimizer(RATE, epsilon=1e-7),
        [lambda: legacy.Adam(RATE, epsilon=1e-7), lambda: new.Adam(RATE, epsilon=1e-7)],
    ),
    "adagrad": (
        lambda: train.AdagradOptimizer(RATE, 0.1),
        [
            lambda: legacy.Adagrad(RATE, 0.1, epsilon=0.0),
            lambda: new.Adagrad(RATE, 0.1, epsilon=0.0),
        ],
    ),
    "proximal_adagrad": (
        lambda: train.ProximalAdagradOptimizer(RATE, 0.1),
        [lambda: legacy.Adagrad(RATE, 0.1, epsilon=0.0)],
    ),
    "rmsprop": (
        lambda: train.RMSPropOptimizer(RATE, 0.8, momentum=0.5, epsilon=1e-5),
        [
            lambda: legacy.RMSprop(RATE, 0.8, momentum=0.5, epsilon=1e-5),
            lambda: new.RMSprop(RATE, 0.8, momentum=0.5, epsilon=1e-5),
            lambda: classic.RMSProp(RATE, 0.8, momentum=0.5, epsilon=1e-5),
        ],
    ),
    "rmsprop_centered": (
        lambda: train.RMSPropOptimizer(RATE, 0.8, momentum=0.5, epsilon=1e-5, centered=True),
        [
            lambda: legacy.RMSprop(RATE, 0.8, momentum=0.5, epsilon=1e-5, centered=True),
            lambda: new.RMSprop(RATE, 0.8, momentum=0.5, epsilon=1e-5, centered=True),
        ],
    ),
    "ftrl": (
        lambda: train.FtrlOptimizer(
            RATE, l1_regularization_strength=0.01, l2_regularization_strength=0.1
        ),
        [
            lambda: legacy.Ftrl(
                RATE, l1_regularization_strength=0.01, l2_regularization_strength=0.1
            ),
            lambda: new.Ftrl(RATE, l1_regularization_strength=0.01, l2_regularization_strength=0.1),
        ],
    ),
    "adadelta": (
        lambda: train.AdadeltaOptimizer(RATE, 0.9, 1e-6),
        [lambda: legacy.Adadelta(RATE, 0.9, 1e-6), lambda: new.Adadelta(RATE, 0.9, 1e-6)],
    ),
}
CASES = [
    pytest.param(make, make_keras, id=f"{name}-{kind}")
    for name, (make, makers) in PAIRS.items()
    for kind, make_keras in zip(KINDS, makers, strict=False)
    # Keras 3 has only the new ones.
    if chosen_keras.version() == 2 or kind == "new"
]


@BOTH
@pytest.mark.parametrize(("make_v1", "make_keras"), CASES)
def test_training_goes_on_the_same_in_keras_and_back(make_v1, make_keras, tmp_path, request):
    old, going_on, template, carried, after, back = (
        str(tmp_path / name) for name in ("v1", "on", "like", "carried", "after", "back")
    )
    # SGD in tf_keras has momentum slots even if the momentum is 0.
    is_idle = "gradient_descent-new" in request.node.name and chosen_keras.version() == 2
    idle = ("m/*",) if is_idle else ()
    options = Options(learning_rate=RATE, keep=idle, leave_out=idle)
    small.train_v1(make_v1, 3, old)
    expected = small.train_v1(make_v1, 3, going_on, start=old)
    small.train_keras(make_keras, 0, template)
    convert(old, carried, like=template, options=options)
    np.testing.assert_allclose(
        small.train_keras(make_keras, 3, after, start=carried), expected, rtol=2e-6
    )
    # And back: the v1 training continues from the end of the Keras training.
    convert(after, back, like=old, options=options)
    there = small.train_v1(make_v1, 2, str(tmp_path / "end_v1"), start=back)
    here = small.train_keras(make_keras, 2, str(tmp_path / "end_keras"), start=after)
    np.testing.assert_allclose(there, here, rtol=2e-6)
    assert open_source(back).step() == 6


@pytest.mark.parametrize("partitions", [None, 2])
def test_slots_in_a_scope_or_of_partitions_are_found(partitions, tmp_path):
    def make():
        return train.AdamOptimizer(RATE)

    old, template, carried = (str(tmp_path / name) for name in ("old", "like", "carried"))
    small.train_v1(make, 2, old, partitions=partitions, scope="opt")
    expected = small.train_v1(
        make, 2, str(tmp_path / "on"), start=old, partitions=partitions, scope="opt"
    )
    small.train_keras(lambda: legacy.Adam(RATE, epsilon=1e-8), 0, template)
    convert(old, carried, like=template)
    losses = small.train_keras(
        lambda: legacy.Adam(RATE, epsilon=1e-8), 2, str(tmp_path / "end"), start=carried
    )
    np.testing.assert_allclose(losses, expected, rtol=2e-6)
    back = str(tmp_path / "back")
    convert(carried, back, like=old)
    there = small.train_v1(
        make, 2, str(tmp_path / "end1"), start=back, partitions=partitions, scope="opt"
    )
    np.testing.assert_allclose(there, expected, rtol=2e-6)


@BOTH
def test_slots_of_an_optimizer_under_another_name_are_asked_for(tmp_path):
    def make():
        return train.AdamOptimizer(RATE, epsilon=1e-7, name="Mine")

    old, template, carried = (str(tmp_path / name) for name in ("old", "like", "carried"))
    small.train_v1(make, 2, old)
    expected = small.train_v1(make, 2, str(tmp_path / "on"), start=old)
    small.train_keras(lambda: new.Adam(RATE), 0, template)
    with pytest.raises(cli.UsageError, match=r"--slot=Mine=OURS(?s:.*)--slot=Mine_1=OURS"):
        convert(old, carried, like=template)
    convert(old, carried, like=template, options=Options(slots={"Mine": "m", "Mine_1": "v"}))
    losses = small.train_keras(lambda: new.Adam(RATE), 2, str(tmp_path / "end"), start=carried)
    np.testing.assert_allclose(losses, expected, rtol=2e-6)


def test_momentum_that_sums_gradients_in_keras_needs_no_learning_rate(tmp_path):
    old, template, output = (str(tmp_path / name) for name in ("old", "like", "out"))
    small.train_v1(lambda: train.MomentumOptimizer(RATE, 0.9), 1, old)
    small.train_keras(lambda: classic.Momentum(RATE, 0.9), 0, template)
    convert(old, output, like=template)
    assert open_source(output).step() == 1


@BOTH
def test_momentum_is_not_guessed_without_a_learning_rate(tmp_path):
    old, template = str(tmp_path / "old"), str(tmp_path / "like")
    small.train_v1(lambda: train.MomentumOptimizer(RATE, 0.9), 1, old)
    small.train_keras(lambda: new.SGD(RATE, 0.9), 0, template)
    with pytest.raises(cli.UsageError, match="--learning-rate=RATE"):
        convert(old, str(tmp_path / "out" / "x"), like=template)
    assert not os.path.exists(tmp_path / "out")


@BOTH
def test_adam_whose_own_steps_are_not_the_global_step_is_refused(tmp_path):
    old, template, output = (str(tmp_path / name) for name in ("old", "like", "out"))
    small.train_v1(lambda: train.AdamOptimizer(RATE, beta2=0.9), 4, old)
    small.train_keras(lambda: new.Adam(RATE), 0, template)
    with pytest.raises(cli.UsageError, match=r"beta2_power is 0.59049, which is not 0.999"):
        convert(old, output, like=template)
    convert(old, output, like=template, options=Options(beta_2=0.9))
    assert open_source(output).step() == 4


def test_slot_names_are_those_of_v1_in_the_order_of_creation():
    assert slot_names("Adam") == (("Adam", "m"), ("Adam_1", "v"))
    assert slot_names("RMSProp", 3)[1] == ("RMSProp_1", "mg")
    assert slot_names("ProximalAdagrad") == (("ProximalAdagrad", "accumulator"),)
    assert slot_names("GradientDescent") == ()


@pytest.mark.parametrize("step", [0, 1, 100, 20_000, 150_000])
def test_a_beta_power_that_float32_rounded_at_each_step_is_accepted(step):
    value = np.float32(0.999)
    for _ in range(step):
        value = np.float32(value * np.float32(0.999))
    slots.check_power("beta2_power", float(value), 0.999, step)
    if value > 1e-37:  # below that, every greater step gives the same value
        with pytest.raises(cli.UsageError):
            slots.check_power("beta2_power", float(value), 0.999, step * 2 + 2)


def test_an_estimator_trained_by_keras_optimizers_keeps_their_slots_as_they_are(tmp_path):
    """Canned Estimators of TensorFlow 2 name slots after the optimizer's scope."""
    prefix, template, output = (str(tmp_path / name) for name in ("old", "like", "out"))
    kernel, slot = np.ones((4, 3), np.float32), np.full((4, 3), -0.5, np.float32)
    values = {
        "dnn/hidden/kernel": kernel,
        "training/SGD/dnn/hidden/kernel/momentum": slot,
        "training/SGD/iter": np.int64(7),
        **{f"training/SGD/{name}": np.float32(0.1) for name in ("decay", "learning_rate")},
    }
    tf.raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=list(values),
        shape_and_slices=[""] * len(values),
        tensors=list(values.values()),
    )
    variable = tf.Variable(tf.zeros((4, 3)), name="hidden/kernel")
    optimizer = legacy.SGD(RATE, 0.9)
    optimizer.apply_gradients([(tf.zeros((4, 3)), variable)])
    tf.train.Checkpoint(v=variable, optimizer=optimizer).write(template)
    convert(prefix, output, like=template)
    tf.train.Checkpoint(v=variable, optimizer=optimizer).read(output)
    np.testing.assert_array_equal(optimizer.get_slot(variable, "momentum"), slot)
    assert optimizer.iterations == 7
