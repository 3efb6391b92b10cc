"""Tests that each v1 optimizer trains as in a session, as a Keras optimizer or unchanged."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf
import tf_keras

from legacy import estimator as tf_estimator
from legacy.contrib import opt
from migrate import bridge
from modern.optimizers import classic
from tests.migrate.bridge import small

KERAS = tf_keras.optimizers.legacy
OPTIMIZERS = {
    "GradientDescent": (lambda rate: tf.train.GradientDescentOptimizer(rate), KERAS.SGD),
    "Momentum": (lambda rate: tf.train.MomentumOptimizer(rate, 0.9), classic.Momentum),
    "Nesterov": (
        lambda rate: tf.train.MomentumOptimizer(rate, 0.8, use_nesterov=True),
        classic.Momentum,
    ),
    "Adam": (lambda rate: tf.train.AdamOptimizer(rate, 0.8, 0.99, 1e-3), KERAS.Adam),
    "Adagrad": (lambda rate: tf.train.AdagradOptimizer(rate, 0.2), KERAS.Adagrad),
    "RMSProp": (lambda rate: tf.train.RMSPropOptimizer(rate, 0.8, 0.0, 1e-2), classic.RMSProp),
    "centered RMSProp": (
        lambda rate: tf.train.RMSPropOptimizer(rate, 0.8, 0.5, 1e-2, centered=True),
        classic.RMSProp,
    ),
    "Ftrl": (
        lambda rate: tf.train.FtrlOptimizer(
            rate, -0.4, 0.2, 1e-3, 1e-2, l2_shrinkage_regularization_strength=1e-2
        ),
        KERAS.Ftrl,
    ),
    "Adadelta": (lambda rate: tf.train.AdadeltaOptimizer(rate, 0.9, 1e-3), KERAS.Adadelta),
    "ProximalGradientDescent": (
        lambda rate: tf.train.ProximalGradientDescentOptimizer(rate, 1e-3, 1e-2),
        classic.ProximalGradientDescent,
    ),
    "ProximalAdagrad": (
        lambda rate: tf.train.ProximalAdagradOptimizer(rate, 0.2, 1e-3, 1e-2),
        classic.ProximalAdagrad,
    ),
    # These have no Keras counterpart, and run unchanged.
    "AdamW": (lambda rate: opt.AdamWOptimizer(1e-2, rate), None),
    "LazyAdam": (lambda rate: opt.LazyAdamOptimizer(rate), None),
}


def embedding_model_fn(features, labels, mode, params):
    """Trains an embedding (sparse gradients) and a dense layer at a rate that decays in steps."""
    table = tf.get_variable("table", [9, 3], initializer=small.first_weights(1))
    rows = tf.nn.embedding_lookup(table, features)
    outputs = tf.layers.dense(rows, 1, kernel_initializer=small.first_weights(2))
    loss = tf.losses.mean_squared_error(labels, outputs)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.2, step, 2, 0.5, staircase=True)
    return tf_estimator.EstimatorSpec(
        mode, loss=loss, train_op=params["make"](rate).minimize(loss, step)
    )


def rows_input_fn():
    random = np.random.RandomState(0)
    rows = random.randint(0, 8, [60]), random.randn(60, 1).astype("f")
    return tf.data.Dataset.from_tensor_slices(rows).batch(12)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_it_continues_an_estimators_training(name, tmp_path):
    make, expected_type = OPTIMIZERS[name]
    params = {"make": make}
    config = tf_estimator.RunConfig(str(tmp_path), save_checkpoints_steps=2)
    estimator = tf_estimator.Estimator(embedding_model_fn, config=config, params=params)
    estimator.train(rows_input_fn, max_steps=5)
    model = bridge.KerasModelFn(embedding_model_fn, params)
    model.load_estimator_checkpoint(f"{tmp_path}/model.ckpt-2")
    model.fit(rows_input_fn().skip(2), verbose=0)
    for key, variable in model.variables_by_name.items():
        np.testing.assert_allclose(
            variable, estimator.get_variable_value(key), rtol=1e-5, atol=1e-6, err_msg=key
        )
    if expected_type:
        assert isinstance(model.optimizer, expected_type)
        assert int(model.optimizer.iterations) == 5
    assert int(model.global_step) == 5


def test_a_hyperparameter_that_changes_is_refused_with_its_line():
    def train(loss, step):
        beta = 0.9 + 0.0 * tf.cast(step, tf.float32)
        return tf.train.AdamOptimizer(0.1, beta1=beta).minimize(loss, step)

    model = bridge.KerasModelFn(small.model_fn, {"train": train})
    with pytest.raises(bridge.BridgeError, match="AdamOptimizer: beta_1 is computed in each step"):
        model.build_on(*small.data())
