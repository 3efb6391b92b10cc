"""Port of `legacy_lstm_text` to Keras 3.

The gates of an LSTM of Keras are in another order, and it has two kernels. The conversion takes
care of both.
"""

from modern.optimizers import summed_rows
from modern.process.chosen_keras import keras


def pipeline(dataset):
    """Returns batches of ids. The id 0 is after the end of a text."""
    return dataset.map(lambda features, label: (features["tokens"], label))


def build_model():
    layers = keras.layers
    tokens = keras.Input((None,), dtype="int64", name="tokens")
    net = layers.Embedding(50, 12, mask_zero=True, name="embed")(tokens)
    net = layers.LSTM(16, name="lstm")(net)
    model = keras.Model(tokens, layers.Dense(3, name="softmax_linear")(net))
    rate = keras.optimizers.schedules.ExponentialDecay(0.01, 2, 0.95, staircase=True)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(summed_rows.Adam(rate, epsilon=1e-8), loss)
    return model
