"""Computes the values of the port, step by step, from the same weights."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

LEARNING_RATE, PENALTY = 0.01, 1e-2
SHAPES = {
    "hidden/kernel": (4, 6),
    "norm/gamma": (6,),
    "norm/beta": (6,),
    "norm/moving_mean": (6,),
    "norm/moving_variance": (6,),
    "logits/kernel": (6, 3),
    "logits/bias": (3,),
}


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(16, 4)).astype(np.float32)
    return x, x[:, :3].argmax(axis=1)


def known_weights(name):
    """Returns weights that are positive, as variances must be, and all different, to show swaps."""
    seed = sorted(SHAPES).index(name)
    return np.random.RandomState(seed).uniform(0.2, 1.0, SHAPES[name]).astype(np.float32)


def build_network():
    return tf_keras.Sequential(
        [
            tf_keras.Input([4]),
            tf_keras.layers.Dense(
                6,
                use_bias=False,  # the norm cancels a bias, whose gradient would be rounding errors
                kernel_regularizer=tf_keras.regularizers.L2(PENALTY / 2),
                name="hidden",
            ),
            tf_keras.layers.BatchNormalization(name="norm"),
            tf_keras.layers.ReLU(),
            tf_keras.layers.Dense(3, name="logits"),
        ]
    )


def main(folder):
    model = build_network()
    features, labels = make_data()
    variables = {variable.name.partition(":")[0]: variable for variable in model.variables}
    for name, variable in variables.items():
        variable.assign(known_weights(name))
    found = {
        "parameters": {name: v.shape.num_elements() for name, v in variables.items()},
        "outputs": model(features, training=False).numpy().tolist(),
    }
    cross_entropy = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    with tf.GradientTape() as tape:
        # The layer updates its moving averages in this call. Keras has no UPDATE_OPS.
        loss = cross_entropy(labels, model(features, training=True)) + sum(model.losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    found["loss"] = float(loss)
    found["gradients"] = [gradient.numpy().tolist() for gradient in gradients]
    optimizer = tf_keras.optimizers.Adam(LEARNING_RATE, epsilon=1e-8)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    found["after"] = {name: v.numpy().tolist() for name, v in variables.items()}
    return found


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
