"""The port of `legacy_contrib_cnn`; `build_model(dropout=0.0)` trains without randomness."""

import tensorflow as tf
import tf_keras

layers = tf_keras.layers

# tf.contrib's l2_regularizer is half of what Keras' L2 is.
DECAY = tf_keras.regularizers.L2(1e-3 / 2)


class RMSprop(tf_keras.optimizers.legacy.RMSprop):
    """Begins with mean squares of one, as tf.train.RMSPropOptimizer did; Keras begins with zero."""

    def _create_slots(self, var_list):
        for variable in var_list:
            self.add_slot(variable, "rms", "ones")
        super()._create_slots(var_list)  # It keeps the slots that there are.


def batch_norm(x, name):
    """tf.contrib's batch_norm, which had no gamma unless it was asked for."""
    norm = layers.BatchNormalization(momentum=0.9, epsilon=0.001, scale=False, name=name)
    return norm(x)


def conv(x, name):
    x = layers.Conv2D(
        8, 3, padding="same", use_bias=False, kernel_regularizer=DECAY, name=f"{name}_conv"
    )(x)
    return tf.nn.relu(batch_norm(x, f"{name}_norm"))


def build_model(dropout=0.25):
    images = tf_keras.Input((10, 10), name="x")
    x = conv(tf.expand_dims(images, -1), "first")
    x = conv(layers.MaxPool2D(2)(x), "second")
    x = layers.Flatten()(x)
    x = layers.Dense(16, use_bias=False, kernel_regularizer=DECAY, name="hidden")(x)
    # As an image: tf.contrib used the fused operation here, too, whose moving variance is that of
    # a sample, N / (N - 1) times what Keras keeps of a matrix.
    x = batch_norm(layers.Reshape((1, 1, 16))(x), "hidden_norm")
    x = layers.Dropout(dropout)(tf.nn.relu(layers.Flatten()(x)))
    logits = layers.Dense(4, kernel_regularizer=DECAY, name="logits")(x)
    model = tf_keras.Model({"x": images}, logits)
    rate = tf_keras.optimizers.schedules.ExponentialDecay(0.02, 3, 0.9)
    model.compile(
        # With momentum, this optimizer adds epsilon inside the root, as TensorFlow 1 did.
        optimizer=RMSprop(rate, rho=0.9, momentum=0.5, epsilon=0.1, global_clipnorm=1.0),
        loss=tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[
            tf_keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
            tf_keras.metrics.MeanMetricWrapper(lambda labels, scores: scores, name="mean_scores"),
        ],
    )
    return model


MAP = {
    "conv1/weights": "first_conv/kernel",
    "conv1/BatchNorm/beta": "first_norm/beta",
    "conv1/BatchNorm/moving_mean": "first_norm/moving_mean",
    "conv1/BatchNorm/moving_variance": "first_norm/moving_variance",
    "conv2/weights": "second_conv/kernel",
    "conv2/BatchNorm/beta": "second_norm/beta",
    "conv2/BatchNorm/moving_mean": "second_norm/moving_mean",
    "conv2/BatchNorm/moving_variance": "second_norm/moving_variance",
    "fc3/weights": "hidden/kernel",
    "fc3/BatchNorm/beta": "hidden_norm/beta",
    "fc3/BatchNorm/moving_mean": "hidden_norm/moving_mean",
    "fc3/BatchNorm/moving_variance": "hidden_norm/moving_variance",
    "logits/weights": "logits/kernel",
    "logits/biases": "logits/bias",
}
