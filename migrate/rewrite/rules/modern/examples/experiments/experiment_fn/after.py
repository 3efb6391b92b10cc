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
def serving_fn():
    a = tf.placeholder(tf.float32, [None], name="a")
    return tf_estimator.export.ServingInputReceiver({"a": a}, {"a": a})
def experiment_fn(output_dir):
    estimator = tf_estimator.Estimator(model_fn, output_dir)
    # nine batches
    return tf_estimator.train_and_evaluate(
        estimator,
        tf_estimator.TrainSpec(input_fn, max_steps=5),
        tf_estimator.EvalSpec(
            lambda: input_fn(),
            steps=2,
            exporters=[tf_estimator.FinalExporter("Servo", serving_fn)],
            throttle_secs=5,
        ),
    )
x, exports = experiment_fn(output_dir="model")
y, z = len(exports), sorted(os.listdir("model/export"))
