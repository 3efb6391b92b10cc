"""Training and evaluation under strategies of one process: central storage, and others on a CPU."""

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1
experimental = tf1.distribute.experimental

TWO = ["/device:CPU:0", "/device:CPU:1"]


def make_model_fn(estimator):
    def model_fn(features, labels, mode):
        kernel = tf1.get_variable("kernel", [2, 1], initializer=tf1.ones_initializer())
        bias = tf1.get_variable("bias", [1], initializer=tf1.zeros_initializer())
        predictions = tf.matmul(features, kernel) + bias
        loss = tf1.losses.mean_squared_error(labels, predictions)
        optimizer = tf1.train.MomentumOptimizer(0.1, 0.9)
        return estimator.EstimatorSpec(
            mode,
            loss=loss,
            train_op=optimizer.minimize(loss, tf1.train.get_global_step()),
            eval_metric_ops={"error": tf1.metrics.mean_absolute_error(labels, predictions)},
        )

    return model_fn


def input_fn():
    x = np.linspace(-1, 1, 16).reshape(8, 2).astype("float32")
    pairs = (x, (2 * x.sum(1, keepdims=True)).astype("float32"))
    return tf1.data.Dataset.from_tensor_slices(pairs).repeat().batch(4)


def trained(estimator, folder, train, evaluates):
    config = estimator.RunConfig(
        model_dir=folder,
        train_distribute=train,
        eval_distribute=evaluates,
        session_config=tf1.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=True),
    )
    model = estimator.Estimator(make_model_fn(estimator), config=config)
    model.train(input_fn, max_steps=5)
    return {
        "values": facts.values(folder),
        "metrics": facts.plain(model.evaluate(input_fn, steps=2)),
    }


def run(estimator, folder):
    central = experimental.CentralStorageStrategy(TWO, TWO[0])
    of_tensorflow_2 = tf.distribute.experimental.CentralStorageStrategy()
    no_servers = experimental.ParameterServerStrategy()
    return {
        "central": trained(estimator, folder + "/1", central, central),
        "central of TensorFlow 2": trained(estimator, folder + "/2", of_tensorflow_2, None),
        "parameter servers, none": trained(estimator, folder + "/3", None, no_servers),
    }
