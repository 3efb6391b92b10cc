"""Copies Adam's slots into the optimizer of another model by hand."""

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


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.Adam(0.01, beta_2=0.99, epsilon=1e-8), loss="mse")
    model.build([None, 3])
    model.optimizer.build(model.trainable_variables)  # creates the slots before a step
    return model


def train(model):
    model.fit(input_fn(), steps_per_epoch=STEPS, verbose=0)


def read(model):
    """Returns the kernel and the optimizer's state, by meaning."""
    optimizer = model.optimizer
    # The order is the step, both moments of the kernel, both moments of the bias. The names depend
    # on those of the model, so they do not help.
    _, first_moment, second_moment, _, _ = optimizer.variables
    # Keras stores no powers. It computes them from the step, so a copy must include the step.
    power = int(optimizer.iterations.numpy()) + 1
    return {
        "first_moment": first_moment.numpy().ravel().tolist(),
        "second_moment": second_moment.numpy().ravel().tolist(),
        "beta1_power": optimizer.beta_1**power,
        "beta2_power": optimizer.beta_2**power,
        "kernel": model.layers[0].kernel.numpy().ravel().tolist(),
    }


def carry(model, to):
    to.set_weights(model.get_weights())
    to.optimizer.set_weights([variable.numpy() for variable in model.optimizer.variables])


def main(folder):
    model, second = build_model(), build_model()
    train(model)
    after_five = read(model)
    carry(model, second)
    train(second)
    return {"after_five": after_five, "after_ten": read(second)}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
