"""The first call of a model_fn, which decides the initial values of its variables."""

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
