"""The port of `legacy_lstm_text`; `build_model(dropout=0.0)` trains without randomness."""

import tensorflow as tf
import tf_keras

UNITS = 16


class LSTMCell(tf_keras.layers.Layer):
    """The cell of TensorFlow 1: one kernel for input and state, gates in the order i, j, f, o.

    Keras' LSTM has two kernels, gates in the order i, f, j, o and its forget bias in the weights:
    an old kernel would have to be cut and rearranged, and so would its optimizer's slots. With a
    cell in the old order each weight is one weight, and is loaded as it is.
    """

    def __init__(self, units, forget_bias=1.0, **kwargs):
        super().__init__(**kwargs)
        self.units, self.forget_bias = units, forget_bias
        self.state_size, self.output_size = [units, units], units

    def build(self, input_shape):
        shape = (input_shape[-1] + self.units, 4 * self.units)
        self.kernel = self.add_weight("kernel", shape, initializer="glorot_uniform")
        self.bias = self.add_weight("bias", (4 * self.units,), initializer="zeros")
        super().build(input_shape)

    def call(self, inputs, states):
        h, c = states
        gates = tf.matmul(tf.concat([inputs, h], axis=1), self.kernel) + self.bias
        i, j, f, o = tf.split(gates, 4, axis=1)
        c = tf.sigmoid(f + self.forget_bias) * c + tf.sigmoid(i) * tf.tanh(j)
        h = tf.sigmoid(o) * tf.tanh(c)
        return h, [h, c]

    def get_config(self):
        return {**super().get_config(), "units": self.units, "forget_bias": self.forget_bias}


def build_model(dropout=0.2):
    tokens = tf_keras.Input((None,), dtype=tf.int64, name="tokens")
    length = tf_keras.Input((), dtype=tf.int32, name="length")
    initializer = tf_keras.initializers.RandomUniform(-0.5, 0.5)
    x = tf_keras.layers.Embedding(50, 12, initializer, name="embed")(tokens)
    # Where the mask is False the state stays, so the last state is that at the sequence's end.
    mask = tf.sequence_mask(length, tf.shape(tokens)[1])
    x = tf_keras.layers.RNN(LSTMCell(UNITS, name="cell"), name="lstm")(x, mask=mask)
    x = tf_keras.layers.Dropout(dropout)(x)
    logits = tf_keras.layers.Dense(3, name="softmax_linear")(x)
    model = tf_keras.Model({"tokens": tokens, "length": length}, logits)
    rate = tf_keras.optimizers.schedules.ExponentialDecay(0.01, 2, 0.95, staircase=True)
    model.compile(
        # TensorFlow 1's epsilon is another than Keras'; both add it to the root.
        optimizer=tf_keras.optimizers.legacy.Adam(rate, epsilon=1e-8, global_clipnorm=0.5),
        loss=tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[
            tf_keras.metrics.SparseCategoricalAccuracy(name="accuracy"),
            tf_keras.metrics.SparseTopKCategoricalAccuracy(2, name="recall_at_2"),
        ],
    )
    return model


MAP = {
    "embed/embeddings": "embed/embeddings",
    "rnn/lstm_cell/kernel": "lstm/cell/kernel",
    "rnn/lstm_cell/bias": "lstm/cell/bias",
    "softmax_linear/kernel": "softmax_linear/kernel",
    "softmax_linear/bias": "softmax_linear/bias",
}
