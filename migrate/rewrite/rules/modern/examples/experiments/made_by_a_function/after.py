# migrate rewrite --unsafe
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
def make_experiment_fn(steps):
    return lambda output_dir: tf_estimator.train_and_evaluate(
        job,
        tf_estimator.TrainSpec(input_fn, max_steps=steps),
        tf_estimator.EvalSpec(input_fn, hooks=[], throttle_secs=5),
    )
job = tf_estimator.Estimator(model_fn, "model")
make = make_experiment_fn(3)
x, y = make(output_dir="model")
z = os.path.exists("model/checkpoint")
