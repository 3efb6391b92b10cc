"""Tests for the first call of a model_fn, which decides the initial values of its variables."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf
import tf_keras

from legacy import estimator as tf_estimator
from migrate import bridge
from migrate.bridge import as_estimator
from tests.migrate.bridge import small


def unseeded_model_fn(features, labels, mode):
    """Leaves the initial values of its variables to the seed of the process."""
    width = features["x"].shape[-1]
    outputs = tf.matmul(features["x"], tf.get_variable("kernel", [width, 1]))
    loss = tf.losses.mean_squared_error(labels, outputs)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=small.adam(loss, None))


def kernel(process_seed, config=None):
    tf_keras.utils.set_random_seed(process_seed)
    model = bridge.KerasModelFn(unseeded_model_fn, config=config)
    model.build_on(small.input_fn())
    return model.variables_by_name["kernel"].numpy().tolist()


def test_the_seed_of_the_process_decides_the_initial_values():
    first = kernel(1)
    assert kernel(1) == first
    assert kernel(2) != first


@pytest.mark.parametrize("process_seed", [1, 2])
def test_the_seed_of_the_config_comes_first(process_seed):
    config = as_estimator.RunConfig(tf_random_seed=3)
    assert kernel(process_seed, config) == kernel(5, config)


def test_an_initializer_with_a_seed_draws_what_it_drew_in_an_estimator(tmp_path):
    tf_keras.utils.set_random_seed(7)
    estimator = tf_estimator.Estimator(small.model_fn, str(tmp_path), params={})
    estimator.train(small.input_fn, steps=1)
    path = tf.train.load_checkpoint(f"{tmp_path}/model.ckpt-0")
    model = bridge.KerasModelFn(small.model_fn, {})
    model.build_on(small.input_fn())
    kernel = model.variables_by_name["dense/kernel"].numpy()
    np.testing.assert_array_equal(kernel, path.get_tensor("dense/kernel"))
