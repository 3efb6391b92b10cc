"""Initializes a job with a layer of an earlier one, restored from its checkpoint."""

import os
import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS = 5


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def build_model(hidden):
    kernel = tf.constant_initializer(np.linspace(-0.5, 0.5, 12).reshape(3, 4))
    model = tf_keras.Sequential(
        [
            tf_keras.Input([3]),
            tf_keras.layers.Dense(4, "relu", kernel_initializer=kernel, name=hidden),
            tf_keras.layers.Dense(1, kernel_initializer="ones", name="head"),
        ]
    )
    model.compile(optimizer=tf_keras.optimizers.SGD(0.01, 0.9), loss="mse")
    return model


def train(folder, hidden, warm_start_from=None):
    model = build_model(hidden)
    if warm_start_from:
        # Only the objects in this Checkpoint are restored. The head, the optimizer and the step
        # keep their initial values.
        previous = tf.train.Checkpoint(layer=model.get_layer(hidden))
        previous.restore(warm_start_from).assert_existing_objects_matched().expect_partial()
    model.fit(input_fn(), steps_per_epoch=STEPS, verbose=0)
    checkpoint = tf.train.Checkpoint(
        model=model, optimizer=model.optimizer, layer=model.get_layer(hidden)
    )
    return model, checkpoint.save(os.path.join(folder, "ckpt"))


def main(folder):
    first, checkpoint = train(os.path.join(folder, "first"), "hidden")
    second, _ = train(os.path.join(folder, "second"), "body", checkpoint)
    return {
        "first": first.get_layer("hidden").kernel.numpy().ravel().tolist(),
        "global_step": int(second.optimizer.iterations.numpy()),
        "body": second.get_layer("body").kernel.numpy().ravel().tolist(),
        "head": second.get_layer("head").kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
