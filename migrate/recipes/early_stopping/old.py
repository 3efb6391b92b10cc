"""Stops if the evaluation has not improved for eight steps."""

import os
import tempfile

import numpy as np
import tensorflow as tf

STEPS, EVERY, PATIENCE = 60, 4, 8


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
    outputs = tf.layers.dense(features, 1, kernel_initializer=tf.zeros_initializer())
    loss = tf.losses.mean_squared_error(labels, outputs)
    optimizer = tf.train.GradientDescentOptimizer(0.05)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def read_losses(eval_dir):
    """Returns the losses that the hook reads, from the summaries of the evaluations."""
    (file,) = os.listdir(eval_dir)
    events = tf.train.summary_iterator(os.path.join(eval_dir, file))
    values = [value for event in events for value in event.summary.value]
    return [value.simple_value for value in values if value.tag == "loss"]


def main(folder):
    config = tf.estimator.RunConfig(save_checkpoints_steps=EVERY, keep_checkpoint_max=None)
    estimator = tf.estimator.Estimator(model_fn, folder, config)
    os.makedirs(estimator.eval_dir())
    stop = tf.estimator.experimental.stop_if_no_decrease_hook(
        estimator, "loss", PATIENCE, run_every_secs=None, run_every_steps=EVERY
    )
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=STEPS, hooks=[stop]),
        tf.estimator.EvalSpec(eval_input_fn, start_delay_secs=0, throttle_secs=0),
    )
    losses = read_losses(estimator.eval_dir())
    # The hook sees an evaluation one step after its checkpoint. So round the last step down to the
    # step of the decision, and ignore the evaluation of the last step.
    decided_at = int(estimator.get_variable_value("global_step")) // EVERY * EVERY
    kernel = tf.train.load_variable(folder + "/model.ckpt-%d" % decided_at, "dense/kernel")
    return {
        "decided_at": decided_at,
        "best_step": EVERY * (losses.index(min(losses)) + 1),
        "losses": losses[: decided_at // EVERY],
        "kernel": kernel.ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
