"""The port of `legacy_resnet`, with the momentum of TensorFlow 1, whose rate changes at once."""

import tensorflow as tf
import tf_keras

WEIGHT_DECAY = 2e-3
FILTERS = 16
# tf.nn.l2_loss is half of the sum of squares; Keras' L2 is all of it.
DECAY = tf_keras.regularizers.L2(WEIGHT_DECAY / 2)


class Momentum(tf_keras.optimizers.Optimizer):
    """tf.train.MomentumOptimizer: accumulates gradients, to which a step's own rate applies.

    Keras' SGD accumulates steps, rate included: the same while the rate is constant, but where it
    drops to a tenth, Keras goes on at the old rate until the old steps have faded.
    """

    def __init__(self, learning_rate, momentum, name="Momentum", **kwargs):
        super().__init__(name=name, **kwargs)
        self._learning_rate = self._build_learning_rate(learning_rate)
        self.momentum = momentum

    def build(self, var_list):
        super().build(var_list)
        if getattr(self, "_built", False):
            return
        self.accumulators = [
            self.add_variable_from_reference(variable, "accumulator") for variable in var_list
        ]
        self._built = True

    def update_step(self, gradient, variable):
        accumulator = self.accumulators[self._index_dict[self._var_key(variable)]]
        accumulator.assign(self.momentum * accumulator + gradient)
        variable.assign_sub(tf.cast(self.learning_rate, variable.dtype) * accumulator)

    def get_config(self):
        learning_rate = self._serialize_hyperparameter(self._learning_rate)
        return {
            **super().get_config(),
            "learning_rate": learning_rate,
            "momentum": self.momentum,
        }


def conv(x, kernel_size, strides, name):
    return tf_keras.layers.Conv2D(
        FILTERS,
        kernel_size,
        strides,
        padding="same",
        use_bias=False,
        kernel_initializer=tf_keras.initializers.VarianceScaling(),
        kernel_regularizer=DECAY,
        name=name,
    )(x)


def batch_norm(x, name):
    return tf_keras.layers.BatchNormalization(momentum=0.9, epsilon=1e-5, name=name)(x)


def block(x, strides, name):
    shortcut = x
    if strides > 1:
        shortcut = batch_norm(conv(x, 1, strides, f"{name}_shortcut"), f"{name}_shortcut_bn")
    x = tf.nn.relu(batch_norm(conv(x, 3, strides, f"{name}_conv1"), f"{name}_bn1"))
    x = batch_norm(conv(x, 3, 1, f"{name}_conv2"), f"{name}_bn2")
    return tf.nn.relu(x + shortcut)


def build_model():
    images = tf_keras.Input((12, 12, 3), name="images")
    x = tf.nn.relu(batch_norm(conv(images, 3, 1, "stem_conv"), "stem_bn"))
    for index, strides in enumerate([1, 2, 1]):
        x = block(x, strides, f"block{index + 1}")
    x = tf_keras.layers.GlobalAveragePooling2D()(x)
    logits = tf_keras.layers.Dense(
        4, kernel_regularizer=DECAY, bias_regularizer=DECAY, name="logits"
    )(x)
    model = tf_keras.Model(images, logits)
    rate = tf_keras.optimizers.schedules.PiecewiseConstantDecay([2, 40], [0.02, 0.1, 0.01])
    model.compile(
        optimizer=Momentum(rate, momentum=0.9),
        loss=tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[tf_keras.metrics.SparseCategoricalAccuracy(name="accuracy")],
    )
    return model


def _map():
    convs = ["stem_conv", "block1_conv1", "block1_conv2"]
    convs += ["block2_shortcut", "block2_conv1", "block2_conv2", "block3_conv1", "block3_conv2"]
    norms = [name.replace("conv", "bn") for name in convs]
    norms[convs.index("block2_shortcut")] = "block2_shortcut_bn"
    names = {"dense/kernel": "logits/kernel", "dense/bias": "logits/bias"}
    for index, (conv_name, norm_name) in enumerate(zip(convs, norms, strict=True)):
        suffix = f"_{index}" if index else ""  # As tf.layers numbers what has no name.
        names[f"conv2d{suffix}/kernel"] = f"{conv_name}/kernel"
        for part in ("gamma", "beta", "moving_mean", "moving_variance"):
            names[f"batch_normalization{suffix}/{part}"] = f"{norm_name}/{part}"
    return names


MAP = _map()
