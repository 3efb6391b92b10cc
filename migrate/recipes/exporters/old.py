"""Exports during a training: the best, the latest and the final model."""

import os
import tempfile

import numpy as np
import tensorflow as tf

STEPS, EVERY, KEEP = 24, 8, 2


def make_data(count, seed):
    """Returns noisy data. Training overfits the noise, which an evaluation detects."""
    random = np.random.RandomState(seed)
    x = random.normal(size=(count, 6)).astype(np.float32)
    return x, (x[:, :1] + random.normal(size=(count, 1))).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensors(make_data(8, seed=1)).repeat()


def eval_input_fn():
    return tf.data.Dataset.from_tensors(make_data(64, seed=2))


def model_fn(features, labels, mode):
    x = features["x"] if isinstance(features, dict) else features
    outputs = tf.layers.dense(x, 1, kernel_initializer=tf.zeros_initializer())
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"outputs": outputs})
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serving_input_receiver_fn():
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})


def answers(folder):
    """Returns the predictions of each export that is kept, oldest first."""
    found = []
    for export in sorted(os.listdir(folder)):
        predict = tf.contrib.predictor.from_saved_model(os.path.join(folder, export))
        found.append(predict({"x": make_data(3, seed=3)[0]})["outputs"].ravel().tolist())
    return found


def main(folder):
    config = tf.estimator.RunConfig(save_checkpoints_steps=EVERY)
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    receiver_fn = serving_input_receiver_fn
    exporters = [
        tf.estimator.BestExporter("best", receiver_fn, exports_to_keep=KEEP),
        tf.estimator.LatestExporter("latest", receiver_fn, exports_to_keep=KEEP),
        tf.estimator.FinalExporter("final", receiver_fn),
    ]
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=STEPS),
        tf.estimator.EvalSpec(
            eval_input_fn, exporters=exporters, start_delay_secs=0, throttle_secs=0
        ),
    )
    exports = os.path.join(folder, "export")
    return {name: answers(os.path.join(exports, name)) for name in ("best", "latest", "final")}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
