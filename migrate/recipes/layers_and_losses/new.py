"""Keras layers and losses, with the arguments whose defaults or meaning changed."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

KERNEL = np.linspace(-0.5, 0.5, 3 * 3 * 2 * 4).reshape(3, 3, 2, 4).astype(np.float32)
UNITS = np.linspace(-9, 9, 20).reshape(4, 5).astype(np.float32)


def make_data():
    random = np.random.RandomState(0)
    return random.normal(size=(6, 8, 8, 2)).astype(np.float32)


def make_scores():
    random = np.random.RandomState(1)
    scores = random.normal(size=(6, 3)).astype(np.float32)
    return scores, scores.argmax(axis=1), np.array([1, 1, 0, 2, 0, 1], np.float32)


def layers():
    """Runs each layer once in training mode. Returns outputs and moving averages."""
    images = tf.constant(make_data())
    kernel = tf.constant_initializer(KERNEL)
    net = tf_keras.layers.Conv2D(4, 3, padding="same", kernel_initializer=kernel)(images)
    norm = tf_keras.layers.BatchNormalization(name="norm")
    net = norm(net, training=True)
    net = tf_keras.layers.MaxPool2D(2, 2)(net)
    net = tf.reduce_mean(net, axis=[1, 2])
    fully_connected = tf_keras.layers.Dense(
        5,
        "relu",  # the default of tf.contrib.layers
        kernel_initializer=tf.constant_initializer(UNITS),
        kernel_regularizer=tf_keras.regularizers.L2(0.1 / 2),
    )
    dense = fully_connected(net)
    # The input gets the shape of an image, so that Keras uses the fused operation, as tf.contrib
    # did. Its moving variance is that of a sample: N / (N - 1) times the variance of the batch.
    contrib_norm = tf_keras.layers.BatchNormalization(
        momentum=0.999, epsilon=0.001, scale=False, name="contrib_norm"
    )
    normed = contrib_norm(dense[:, tf.newaxis, tf.newaxis], training=True)[:, 0, 0]
    dropped = tf_keras.layers.Dropout(rate=0.2, seed=1)(tf.ones([1000, 10]), training=True)
    remembered = {v.name: v for layer in (norm, contrib_norm) for v in layer.non_trainable_weights}
    return {
        "dense": dense.numpy().tolist(),
        "normed": normed.numpy().tolist(),
        "penalty": float(sum(fully_connected.losses)),
        "remembered": [v.numpy().ravel().tolist() for _, v in sorted(remembered.items())],
        "contrib_norm_learns": len(contrib_norm.trainable_weights),
        "dropped": round(float((dropped.numpy() == 0).mean()), 1),
    }


def losses():
    scores, classes, weights = make_scores()
    one_hot = np.eye(3, dtype=np.float32)[classes]
    categories = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    smooth = tf_keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1)
    # Keras divides by the number of all examples. tf.losses divided by the number of examples with
    # a nonzero weight.
    share = np.count_nonzero(weights) / len(weights)
    return [
        float(loss)
        for loss in (
            categories(classes, scores),
            categories(classes, scores, weights) / share,
            smooth(one_hot, scores),
            tf_keras.losses.BinaryCrossentropy(from_logits=True)(one_hot, scores),
            tf_keras.losses.MeanSquaredError()(one_hot, scores),
            tf_keras.losses.Huber(delta=0.5)(one_hot, scores),
            tf_keras.losses.MeanAbsoluteError()(one_hot, scores, weights) / share,
        )
    ]


def main(folder):
    return dict(layers(), losses=losses())


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
