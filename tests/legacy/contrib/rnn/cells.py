"""A cell whose outputs are known, for the tests of recurrent networks."""

import tensorflow as tf


class Sum(tf.compat.v1.nn.rnn_cell.RNNCell):
    """Cell that adds its input to its state, and returns the sum."""

    def __init__(self, size=1):
        super().__init__()
        self._size = size

    state_size = output_size = property(lambda self: self._size)

    def call(self, inputs, state):
        return inputs + state, inputs + state
