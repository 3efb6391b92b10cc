"""Synchronous parameter servers: each update averages two batches of gradients.

With two workers, each computes one batch. Here the only worker, in one process, computes both.
"""

import tempfile

import numpy as np
import tensorflow as tf

STEPS, BATCH_SIZE, TO_AGGREGATE, WORKERS = 5, 4, 2, 1
LEARNING_RATE = 0.05


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(BATCH_SIZE)


def build_graph():
    features, labels = tf.data.make_one_shot_iterator(input_fn()).get_next()
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.SyncReplicasOptimizer(
        tf.train.MomentumOptimizer(LEARNING_RATE, 0.9),
        replicas_to_aggregate=TO_AGGREGATE,
        total_num_replicas=WORKERS,
    )
    train_op = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
    # A worker takes a token for each step. With more tokens it would run ahead of the updates.
    return train_op, optimizer.make_session_run_hook(True, num_tokens=TO_AGGREGATE - WORKERS)


def main(folder):
    with tf.Graph().as_default():
        train_op, sync_hook = build_graph()
        with tf.train.MonitoredTrainingSession(
            master="",  # in a cluster: server.target
            is_chief=True,
            checkpoint_dir=folder,
            hooks=[sync_hook, tf.train.StopAtStepHook(last_step=STEPS)],
            stop_grace_period_secs=1,  # a thread waits for gradients that no longer come
        ) as session:
            while not session.should_stop():
                session.run(train_op)
    return {
        "updates": int(tf.train.load_variable(folder, "global_step")),
        "kernel": tf.train.load_variable(folder, "dense/kernel").ravel().tolist(),
        "momentum": tf.train.load_variable(folder, "dense/kernel/Momentum").ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
