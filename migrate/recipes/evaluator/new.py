"""Evaluator as a loop over the checkpoints, which needs no TF_CONFIG."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, EVERY = 10, 5


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(8)


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05), loss="mse", metrics=["mae"])
    return model


def train(folder):
    """Trains, as the other tasks of the cluster do while the evaluator runs."""
    model = build_model()
    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=5)
    save = tf_keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: manager.save(model.optimizer.iterations)
    )
    model.fit(input_fn(), epochs=STEPS // EVERY, steps_per_epoch=EVERY, callbacks=[save], verbose=0)


def run_evaluator(folder):
    model = build_model()
    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    evaluated = {}
    # Each iteration waits for a new checkpoint. Without the timeout, the loop would wait forever
    # if the training failed.
    for path in tf.train.checkpoints_iterator(folder, timeout=600):
        # The checkpoint must contain the whole model. It also has values that this process does not
        # need, such as optimizer slots.
        checkpoint.restore(path).assert_existing_objects_matched().expect_partial()
        metrics = model.evaluate(eval_input_fn(), verbose=0, return_dict=True)
        step = int(model.optimizer.iterations.numpy())
        evaluated[step] = metrics
        if step >= STEPS:
            break
    return evaluated


def main(folder):
    train(folder)
    evaluated = run_evaluator(folder)
    metrics = evaluated[STEPS]
    return {
        "steps": [int(step) for step in evaluated],
        "loss": float(metrics["loss"]),
        "mae": float(metrics["mae"]),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
