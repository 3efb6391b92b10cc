"""Custom hook that reads the loss and the gradients' norm at each step, and writes a file."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf

STEPS, EVERY = 10, 4


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


class GradientNorms(tf.train.SessionRunHook):
    def __init__(self, path):
        self._path = path
        self.losses, self.norms = [], {}

    def begin(self):
        graph = tf.get_default_graph()
        self._fetches = {
            "loss": graph.get_tensor_by_name("mean_squared_error/value:0"),
            "norm": graph.get_tensor_by_name("norm:0"),
        }
        self._global_step = tf.train.get_global_step()

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._fetches)

    def after_run(self, run_context, run_values):
        found = run_values.results
        self.losses.append(float(found["loss"]))
        # If it were fetched with the other tensors, its value could be from before or after the
        # update. A second run always reads it after the update.
        step = int(run_context.session.run(self._global_step))
        if step % EVERY == 0:
            self.norms[step] = float(found["norm"])

    def end(self, session):
        with open(self._path, "w") as file:
            json.dump(self.norms, file)


def model_fn(features, labels, mode):
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    pairs = optimizer.compute_gradients(loss)
    tf.identity(tf.global_norm([gradient for gradient, _ in pairs]), name="norm")
    train_op = optimizer.apply_gradients(pairs, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(folder):
    estimator = tf.estimator.Estimator(model_fn, folder)
    hook = GradientNorms(os.path.join(folder, "norms.json"))
    estimator.train(input_fn, steps=STEPS, hooks=[hook])
    with open(os.path.join(folder, "norms.json")) as file:
        written = json.load(file)
    return {"losses": hook.losses, "steps": sorted(written), "norms": list(written.values())}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
