"""Tests that a model starts from the weights of another checkpoint, by their names."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern import porting
from modern.model_files import weights
from modern.porting import named_weights

OLD = {
    "dense/kernel": np.array([[1.0], [2.0]], np.float32),
    "dense/bias": np.array([3.0], np.float32),
    "norm/moving_mean": np.array([4.0], np.float32),
    "other": np.array([5.0], np.float32),
    "global_step": np.array(7, np.int64),
}


class Net(tf_keras.Model):
    """A model whose first batch creates its variables."""

    def __init__(self):
        super().__init__()
        self.dense = tf_keras.layers.Dense(1, name="dense", kernel_initializer="zeros")
        self.norm = tf_keras.layers.BatchNormalization(name="norm")

    def call(self, features, training=False):
        return self.norm(self.dense(features), training=training)


@pytest.fixture
def old(tmp_path):
    """Returns the path of an Estimator's checkpoint."""
    path = str(tmp_path / "old" / "model.ckpt-7")
    weights.save(path, OLD)
    return path


def _started(settings, folder=None, is_built=False):
    """Returns the weights and the step of a model after its first batch."""
    model = Net()
    model.compile("sgd", "mse")
    if is_built:
        model(tf.zeros([1, 2]))
    porting.restore(model, folder, save_steps=100)
    porting.warm_start(model, settings)
    model.predict(tf.zeros([1, 2]), verbose=0)
    variables = named_weights.variables(model).items()
    values = {name: variable.numpy().ravel().tolist() for name, (variable,) in variables}
    return values, int(model.optimizer.iterations)


@pytest.mark.parametrize("is_built", [False, True])
def test_an_expression_selects_weights_that_are_trained(old, is_built):
    settings = porting.WarmStartSettings(old, "dense")
    values, step = _started(settings, is_built=is_built)
    assert values["dense/kernel"] == [1.0, 2.0]
    assert values["dense/bias"] == [3.0]
    assert (values["norm/moving_mean"], step) == ([0.0], 0)


def test_a_list_also_selects_other_weights_and_the_step(old):
    settings = porting.WarmStartSettings(old, [".*moving_mean", "global_step", "dense/bias$"])
    values, step = _started(settings)
    # Expressions are compared with names of tensors, "dense/bias:0".
    assert (values["norm/moving_mean"], values["dense/bias"], step) == ([4.0], [0.0], 7)


def test_weights_may_have_other_names(old):
    settings = porting.WarmStartSettings(
        old, ".*bias", var_name_to_prev_var_name={"dense/bias": "other"}
    )
    assert _started(settings)[0]["dense/bias"] == [5.0]


def test_nothing_selects_no_weights(old):
    assert _started(None) == _started(porting.WarmStartSettings(old, None))


def test_a_model_with_a_checkpoint_of_its_own_continues_from_it(tmp_path, old):
    model, folder = Net(), str(tmp_path / "new")
    model.compile(tf_keras.optimizers.SGD(0.0), "mse")
    porting.restore(model, folder, save_steps=100)
    data = tf.data.Dataset.from_tensors(([[1.0, 2.0]], [[3.0]]))
    model.fit(data, callbacks=porting.callbacks(model), verbose=0)
    assert _started(porting.WarmStartSettings(old, "dense"), folder)[0]["dense/bias"] == [0.0]
    # The other way round, another model starts from its folder.
    assert _started(folder)[0]["dense/kernel"] == [0.0, 0.0]


@pytest.mark.parametrize("is_built", [False, True])
def test_the_checkpoint_is_read_when_the_model_is_first_used(tmp_path, old, is_built):
    model, folder = Net(), str(tmp_path / "new")
    model.compile(tf_keras.optimizers.SGD(0.0), "mse")
    if is_built:
        model(tf.zeros([1, 2]))
    porting.restore(model, folder, save_steps=100)
    path = str(tmp_path / "later" / "model.ckpt-7")
    porting.warm_start(model, porting.WarmStartSettings(path, "dense"))
    weights.save(path, OLD)
    data = tf.data.Dataset.from_tensors(([[1.0, 2.0]], [[3.0]]))
    model.fit(data, callbacks=porting.callbacks(model), verbose=0)
    assert porting.variable_value(model, "dense/bias") == [3.0]
    if is_built:  # The start of the training is saved with these weights.
        start = named_weights.NamedValues(f"{folder}/checkpoints/ckpt-0")
        assert start["dense/bias"] == [3.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"has no 'norm/beta'; it has: dense/bias"),
        ({"var_name_to_prev_var_name": {"dense/bias": "d"}}, r"has no 'd'"),
        (
            {"var_name_to_prev_var_name": {"bias": "d"}, "vars_to_warm_start": "dense"},
            "not select: bias",
        ),
        (
            {"var_name_to_prev_var_name": {"dense/bias": "dense/kernel"}},
            r"'dense/bias' has shape \(2, 1\)",
        ),
        ({"vars_to_warm_start": [3]}, "must be names"),
        ({"var_name_to_vocab_info": {"a": 1}}, "var_name_to_vocab_info is not supported"),
    ],
)
def test_weights_that_do_not_fit_are_an_error(old, options, message):
    options = {"vars_to_warm_start": "dense", **options} if options else options
    with pytest.raises(ValueError, match=message):
        _started(porting.WarmStartSettings(old, **options), is_built=True)
    with pytest.raises(weights.CheckpointError, match="There is no checkpoint"):
        _started(f"{old}0")
