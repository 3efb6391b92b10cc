"""Stops if the evaluation has not improved for eight steps."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

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


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05), loss="mse")
    return model


def main(folder):
    model = build_model()
    # `patience` counts evaluations. `fit` makes one after each epoch.
    stop = tf_keras.callbacks.EarlyStopping("val_loss", patience=PATIENCE // EVERY)
    history = model.fit(
        input_fn(),
        steps_per_epoch=EVERY,
        epochs=STEPS // EVERY,
        validation_data=eval_input_fn(),
        callbacks=[stop],
        verbose=0,
    )
    losses = history.history["val_loss"]
    return {
        "decided_at": int(model.optimizer.iterations.numpy()),
        "best_step": EVERY * (losses.index(min(losses)) + 1),
        "losses": losses,
        "kernel": model.layers[0].kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
