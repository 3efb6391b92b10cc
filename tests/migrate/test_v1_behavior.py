"""Tests for functions of an old program that run with the shapes and layers of TensorFlow 1."""

import threading

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from legacy.estimator import arguments
from migrate import bridge, loading, v1_behavior
from modern.porting import float_types
from modern.tasks import precision

PROGRAM = """
import tensorflow.compat.v1 as tf
import tf_keras
from legacy.compat.v1 import estimator
{switch}

def model_fn(features, labels, mode):
    width = features["x"].shape[1]
    units = width.value if hasattr(width, "value") else 2
    net = tf_keras.layers.Dropout(0.1)(tf.layers.dense(features["x"], units))
    out = tf.layers.dense(net, 1)
    loss = tf.reduce_mean(tf.square(out - tf.cast(labels, out.dtype)))
    optimizer = tf.train.AdagradOptimizer(0.1)
    train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return estimator.EstimatorSpec(mode, out, loss, train_op)
"""


@pytest.fixture(autouse=True)
def _not_needed(monkeypatch):
    tf_keras.mixed_precision.set_global_policy(None)  # Another test may have set one.
    monkeypatch.setattr(v1_behavior, "_is_needed", False)


def _are_old():
    width = tf.ones([1, 2]).shape[1]
    layer = tf_keras.layers.Dense(1)
    return hasattr(width, "value"), layer(tf.ones([1, 1], tf.float64)).dtype.name == "float64"


def test_it_has_an_effect_once_a_program_needs_it():
    with v1_behavior.on():
        assert _are_old() == (False, False)
    v1_behavior.need()
    with v1_behavior.on():
        assert _are_old() == (True, True)
    assert _are_old() == (False, False)
    assert v1_behavior.during(_are_old)() == (True, True)


def test_a_switched_function_shows_its_arguments():
    def model_fn(features, labels, mode, params=None):
        return features

    assert arguments.names(v1_behavior.during(model_fn)) == arguments.names(model_fn)


def test_the_last_thread_restores_the_behavior():
    v1_behavior.need()
    entered, left = threading.Event(), threading.Event()

    def outlast():
        with v1_behavior.on():
            entered.set()
            left.wait(30)

    thread = threading.Thread(target=outlast)
    with v1_behavior.on():
        thread.start()
        assert entered.wait(30)
    old_while_it_lasts = _are_old()
    left.set()
    thread.join()
    assert old_while_it_lasts == (True, True)
    assert _are_old() == (False, False)


def test_mixed_precision_stays_as_it_is():
    v1_behavior.need()
    with precision.of_layers("mixed_bfloat16"), v1_behavior.on():
        assert tf_keras.layers.Dense(1)(tf.ones([1, 1])).dtype.name == "bfloat16"


def test_a_program_that_keeps_float_types_goes_on_to_keep_them():
    v1_behavior.need()
    float_types.keep_float_types()
    try:
        with v1_behavior.on():
            pass
        assert not float_types.are_cast()
    finally:
        float_types.cast_float_types()


@pytest.mark.filterwarnings("ignore:.tf.layers:UserWarning")
@pytest.mark.parametrize(
    ("name", "switch", "layers"),
    [
        ("old_behavior", "tf.disable_v2_behavior()", {(3, 3): "float64", (3, 1): "float64"}),
        # Today, the layer of Keras casts to float32. A layer of tf.layers never does.
        ("todays_behavior", "", {(3, 2): "float64", (2, 1): "float32"}),
    ],
)
def test_the_bridge_trains_a_program_as_it_asked_for(tmp_path, monkeypatch, name, switch, layers):
    (tmp_path / f"{name}.py").write_text(PROGRAM.format(switch=switch))
    monkeypatch.syspath_prepend(tmp_path)
    model = bridge.KerasModelFn(loading.find_function(f"{name}:model_fn", "--model_fn"))
    x = np.ones((4, 3))
    model.fit(tf.data.Dataset.from_tensors(({"x": x}, np.float32(x[:, :1]))), verbose=0)
    kernels = [weight for weight in model.trainable_weights if "kernel" in weight.name]
    assert {tuple(kernel.shape): kernel.dtype.name for kernel in kernels} == layers
