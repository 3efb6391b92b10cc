"""Written for TensorFlow 1.15; prints facts as JSON."""

import json
import logging

import numpy as np
import tensorflow as tf

layers = tf.keras.layers
FACTS = {}


def error_of(call):
    try:
        return call()
    except ValueError as error:
        return str(error)


resource = tf.get_variable("resource", [2], use_resource=True)
dense = layers.Dense(3)
features = tf.placeholder(tf.float32, [None, 6 / 2])
FACTS["applied"] = dense.apply(features).shape.as_list()
FACTS["instances"] = [
    isinstance(value, tf.Variable)
    for value in (resource, dense.kernel, tf.get_variable("ref", [2]), tf.Variable(1.0), features)
] + [issubclass(type(resource), tf.Variable)]
FACTS["dimensions"] = [
    tf.get_variable("empty", 0.0).shape.as_list(),
    tf.get_variable("w", [4 / 2, np.float64(3)]).shape.as_list(),
    tf.layers.dense(features, 5.0).shape.as_list(),
    tf.zeros([2.0, 3]).shape.as_list(),
    error_of(lambda: tf.get_variable("half", [2.5])),
]
FACTS["lists"] = [dense.get_updates_for(None), dense.get_losses_for(None)]
model = tf.keras.Sequential([layers.Flatten(input_shape=(4,)), layers.Dense(1)])
FACTS["unflattened"] = model(tf.zeros([5, 2, 2])).shape.as_list()
classifier = tf.keras.Sequential([layers.Dense(3, input_shape=(2,))])
classifier.compile("sgd", "mse")
FACTS["predicted"] = [
    classifier.predict_classes(np.zeros((2, 2))).tolist(),
    list(classifier.predict_proba(np.zeros((2, 2))).shape),
]


class Halving(tf.keras.optimizers.Optimizer):
    """An optimizer that computes gradients without a tape, as in TensorFlow 1.15."""

    def _compute_gradients(self, loss, var_list, grad_loss=None):
        return [(gradient, 1) for gradient in tf.gradients(loss(), var_list)]

    def apply_gradients(self, grads_and_vars, name=None):
        return [tf.shape(gradient).shape.as_list() for gradient, _ in grads_and_vars]


FACTS["minimized"] = Halving("halving").minimize(lambda: tf.reduce_sum(resource**2), [resource])


class PlacedTest(tf.test.TestCase):
    def runTest(self):
        with self.cached_session():
            placed = tf.constant(1.0)
        with self.session(use_gpu=True):
            unplaced = tf.constant(1.0)
        FACTS["devices"] = [placed.device, unplaced.device]


PlacedTest().run()
from tensorflow.python.debug.wrappers import hooks  # noqa: E402
from tensorflow.python.ops import variable_scope  # noqa: E402

FACTS["private"] = [
    variable_scope.variable is tf.Variable,
    type(hooks.TensorBoardDebugHook(["localhost:1"], log_usage=False)).__name__,
]

# Old programs import it where they need it.
from tensorflow.python.distribute.cluster_resolver import TPUClusterResolver  # noqa: E402

resolvers = tf.distribute.cluster_resolver
config = tf.contrib.tpu.RunConfig(cluster=resolvers.TPUClusterResolver("my-tpu"))
FACTS["tpu"] = [
    config.master,
    TPUClusterResolver("my-tpu").master(),
    error_of(resolvers.TPUClusterResolver),
    tf.contrib.cluster_resolver.TPUClusterResolver is TPUClusterResolver,
]
FACTS["logger"] = tf.logging._logger is logging.getLogger("tensorflow")
print(json.dumps(FACTS))
