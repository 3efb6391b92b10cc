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
def serving_fn():
    a = tf.placeholder(tf.float32, [None], name="a")
    return tf_estimator.export.ServingInputReceiver({"a": a}, {"a": a})
def experiment_fn(output_dir):
    return contrib.learn.Experiment(
        estimator=tf_estimator.Estimator(model_fn, output_dir),
        train_input_fn=input_fn,  # nine batches
        eval_input_fn=lambda: input_fn(),
        train_steps=5,
        eval_steps=2,
        export_strategies=[contrib.learn.make_export_strategy(serving_fn, exports_to_keep=1)],
    )
x, exports = contrib.learn.learn_runner.run(experiment_fn, "model")
y, z = len(exports), sorted(os.listdir("model/export"))
