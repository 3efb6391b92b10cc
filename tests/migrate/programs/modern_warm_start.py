"""The port of `legacy_warm_start`: a network that is trained, and beside it its average."""

import tensorflow as tf
import tf_keras

LENGTH = 8
WORDS = [f"w{i}" for i in range(30)]
DECAY = 0.8

# What the pretrained checkpoint calls the weights of the encoder.
PRETRAINED = {
    "language_model/encoder/embeddings": "words/embeddings",
    "language_model/encoder/fc/kernel": "encoder/kernel",
    "language_model/encoder/fc/bias": "encoder/bias",
}


def build_network(prefix):
    words = tf_keras.Input((LENGTH,), dtype=tf.string)
    # Unknown words are 0 and the first of the list is 1.
    ids = tf_keras.layers.StringLookup(vocabulary=WORDS)(words)
    x = tf_keras.layers.Embedding(len(WORDS) + 1, 8, "glorot_uniform", name=f"{prefix}words")(ids)
    x = tf_keras.layers.Dense(16, "relu", name=f"{prefix}encoder")(tf.reduce_mean(x, axis=1))
    return tf_keras.Model(words, tf_keras.layers.Dense(2, name=f"{prefix}logits")(x))


class Averaged(tf_keras.Model):
    """Trains one network and evaluates another, whose weights are averages of the first's.

    An optimizer's `use_ema` has the averages too, but would have the trained weights evaluated.
    """

    def __init__(self):
        super().__init__()
        self.network = build_network("")
        self.averaged = build_network("averaged_")
        self.averaged.trainable = False

    def call(self, words, training=False):
        return self.network(words) if training else self.averaged(words)

    def train_step(self, data):
        logs = super().train_step(data)
        for average, weight in zip(self.averaged.weights, self.network.weights, strict=True):
            average.assign_sub((1.0 - DECAY) * (average - weight))
        return logs

    def warm_start(self, checkpoint):
        """Reads the encoder from a checkpoint; averages begin where the weights do."""
        reader = tf.train.load_checkpoint(checkpoint)
        weights = {weight.name.removesuffix(":0"): weight for weight in self.network.weights}
        for old, new in PRETRAINED.items():
            weights[new].assign(reader.get_tensor(old))
        self.averaged.set_weights(self.network.get_weights())


def build_model(warm_start_from=None):
    model = Averaged()
    model(tf.constant([WORDS[:LENGTH]]))  # Builds it.
    model.averaged.set_weights(model.network.get_weights())
    if warm_start_from:
        model.warm_start(warm_start_from)
    model.compile(
        # TensorFlow 1's epsilon, not Keras'.
        optimizer=tf_keras.optimizers.Adam(0.02, epsilon=1e-8),
        loss=tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[tf_keras.metrics.SparseCategoricalAccuracy(name="accuracy")],
    )
    return model


def _map():
    names = {
        "encoder/embeddings": "words/embeddings",
        "encoder/fc/kernel": "encoder/kernel",
        "encoder/fc/bias": "encoder/bias",
        "logits/kernel": "logits/kernel",
        "logits/bias": "logits/bias",
    }
    averages = {f"{old}/ExponentialMovingAverage": f"averaged_{new}" for old, new in names.items()}
    return names | averages


MAP = _map()
