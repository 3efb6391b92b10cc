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
def experiment_fn(run_config, hparams) -> contrib.learn.Experiment:
    experiment = contrib.learn.Experiment(
        tf_estimator.Estimator(model_fn, config=run_config), input_fn, input_fn,
        train_steps=hparams.steps, eval_steps=None, min_eval_frequency=0)
    return experiment
config = contrib.learn.RunConfig(gpu_memory_fraction=0.5, save_checkpoints_secs=60)
contrib.learn.learn_runner.run(
    experiment_fn, run_config=config.replace(model_dir="model"), schedule="train_and_evaluate",
    hparams=contrib.training.HParams(steps=4))
x, y = config.save_checkpoints_secs, os.path.exists("model/checkpoint")
