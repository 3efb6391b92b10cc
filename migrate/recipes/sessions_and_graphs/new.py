"""Trains with a tf.function, a tf.Module and a checkpoint, in a Python loop."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS = 12


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def make_batches():
    x, y = make_data()
    return [(x[i : i + 8], y[i : i + 8]) for i in range(0, 32, 8)]


class Linear(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.ones([3, 1]), name="kernel")
        self.bias = tf.Variable(tf.zeros([1]), name="bias")
        rate = tf_keras.optimizers.schedules.ExponentialDecay(
            0.1, decay_steps=4, decay_rate=0.5, staircase=True
        )
        self.optimizer = tf_keras.optimizers.SGD(rate)

    @tf.function(
        input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([None, 1], tf.float32)]
    )
    def train_step(self, features, labels):
        rate = self.optimizer.lr
        with tf.GradientTape() as tape:
            outputs = tf.matmul(features, self.kernel) + self.bias
            loss = tf.reduce_mean(tf.square(outputs - labels))
        gradients = tape.gradient(loss, [self.kernel, self.bias])
        gradients, _ = tf.clip_by_global_norm(gradients, 2.0)
        self.optimizer.apply_gradients(zip(gradients, [self.kernel, self.bias], strict=True))
        return loss, rate


def train(folder, last_step):
    losses, rates = [], []
    batches = make_batches()
    linear = Linear()
    step = linear.optimizer.iterations
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(linear), folder, max_to_keep=5, step_counter=step
    )
    manager.restore_or_initialize()
    while step < last_step:
        x, y = batches[int(step) % len(batches)]
        before, used = linear.train_step(x, y)
        losses.append(float(before))
        rates.append(float(used))
        if step % 5 == 0 or step == last_step:
            manager.save(step)
    return losses, rates, linear


def main(folder):
    first, second = train(folder, STEPS // 2), train(folder, STEPS)
    linear = second[2]
    return {
        "losses": first[0] + second[0],
        "rates": first[1] + second[1],
        "global_step": int(linear.optimizer.iterations.numpy()),
        "kernel": linear.kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
