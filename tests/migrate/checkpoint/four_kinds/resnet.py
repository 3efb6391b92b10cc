"""Port of `legacy_resnet` to Keras 3. Its layers have the names of the old variables."""

from modern.layers import normalization
from modern.optimizers import classic_keras3
from modern.process.chosen_keras import keras
from tests.migrate.checkpoint.four_kinds import settings


def pipeline(dataset):
    return dataset


class Blocks:
    """Functions that add layers, which are numbered as tf.layers numbered them."""

    def __init__(self, norm):
        self.count = 0
        self.norm = norm
        # tf.nn.l2_loss is half of the sum of squares.
        self.decay = keras.regularizers.L2(1e-3)

    def conv(self, net, kernel_size, strides):
        suffix = f"_{self.count}" if self.count else ""
        self.count += 1
        net = keras.layers.Conv2D(
            16,
            kernel_size,
            strides,
            padding="same",
            use_bias=False,
            kernel_regularizer=self.decay,
            name=f"conv2d{suffix}",
        )(net)
        name = f"batch_normalization{suffix}"
        return self.norm(momentum=0.9, epsilon=1e-5, name=name)(net)

    def block(self, net, strides):
        shortcut = self.conv(net, 1, strides) if strides > 1 else net
        net = keras.ops.relu(self.conv(net, 3, strides))
        return keras.ops.relu(self.conv(net, 3, 1) + shortcut)


def build_model(norm=normalization.BatchNormalization, momentum=classic_keras3.Momentum):
    blocks = Blocks(norm)
    images = keras.Input((12, 12, 3), name="images")
    net = keras.ops.relu(blocks.conv(images, 3, 1))
    for strides in (1, 2, 1):
        net = blocks.block(net, strides)
    net = keras.ops.mean(net, (1, 2))
    dense = keras.layers.Dense(
        4, kernel_regularizer=blocks.decay, bias_regularizer=blocks.decay, name="dense"
    )
    model = keras.Model(images, dense(net))
    params = settings.KINDS["resnet"].params
    rate = keras.optimizers.schedules.PiecewiseConstantDecay(
        params["boundaries"], params["learning_rates"]
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(momentum(rate, momentum=0.9), loss)
    return model
