# migrate rewrite --unsafe
from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
import os
import tensorflow.compat.v1 as tf
def model_fn(features, labels, mode):
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    out = features["a"] * w
    if mode == "infer":
        return tf_estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.reduce_mean((out - labels) ** 2)
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, None, loss, train_op)
def input_fn():
    return tf.data.Dataset.from_tensors(({"a": [1.0, 2.0]}, [2.0, 3.0])).repeat(9)
def experiment_fn(run_config, hparams) -> tuple:
    estimator = tf_estimator.Estimator(model_fn, config=run_config)
    return tf_estimator.train_and_evaluate(
        estimator,
        tf_estimator.TrainSpec(input_fn, max_steps=hparams.steps),
        tf_estimator.EvalSpec(input_fn, steps=None, throttle_secs=float("inf")),
    )
config = tf_estimator.RunConfig(save_checkpoints_secs=60)
experiment_fn(config.replace(model_dir="model"), contrib.training.HParams(steps=4))
x, y = config.save_checkpoints_secs, os.path.exists("model/checkpoint")
