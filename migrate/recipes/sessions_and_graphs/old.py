"""Trains with a graph, placeholders, a MonitoredTrainingSession and a decaying rate."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS = 12


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def make_batches():
    x, y = make_data()
    return [(x[i : i + 8], y[i : i + 8]) for i in range(0, 32, 8)]


def build_graph():
    features = tf.placeholder(tf.float32, [None, 3])
    labels = tf.placeholder(tf.float32, [None, 1])
    with tf.variable_scope("linear"):
        kernel = tf.get_variable("kernel", [3, 1], initializer=tf.ones_initializer())
        bias = tf.get_variable("bias", [1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(features, kernel) + bias - labels))
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, decay_steps=4, decay_rate=0.5, staircase=True)
    optimizer = tf.train.GradientDescentOptimizer(rate)
    gradients = tf.gradients(loss, [kernel, bias])
    gradients, _ = tf.clip_by_global_norm(gradients, 2.0)
    train_op = optimizer.apply_gradients(zip(gradients, [kernel, bias]), global_step=step)
    return features, labels, loss, rate, step, train_op


def train(folder, last_step):
    losses, rates = [], []
    batches = make_batches()
    with tf.Graph().as_default():
        features, labels, loss, rate, step, train_op = build_graph()
        hooks = [tf.train.StopAtStepHook(last_step=last_step)]
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=5
        ) as session:
            at = session.run(step, {features: batches[0][0], labels: batches[0][1]})
            while not session.should_stop():
                x, y = batches[at % len(batches)]
                before, used, _ = session.run(
                    [loss, rate, train_op], feed_dict={features: x, labels: y}
                )
                losses.append(float(before))
                rates.append(float(used))
                at += 1
    return losses, rates


def main(folder):
    first, second = train(folder, STEPS // 2), train(folder, STEPS)
    kernel = tf.train.load_variable(folder, "linear/kernel")
    return {
        "losses": first[0] + second[0],
        "rates": first[1] + second[1],
        "global_step": int(tf.train.load_variable(folder, "global_step")),
        "kernel": kernel.ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
