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
job = tf_estimator.Estimator(model_fn, "model")
job.train(input_fn, max_steps=4)
x = job.evaluate(input_fn, steps=3, name="one_pass")
y = job.get_variable_value("w")
