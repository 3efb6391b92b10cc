"""tf.contrib.rnn: the cells of tf.compat.v1.nn.rnn_cell and additional cells.

    cells = rnn.MultiRNNCell([rnn.BasicLSTMCell(64) for _ in range(2)])
    outputs, state = rnn.static_rnn(cells, tf.unstack(inputs, axis=1), dtype=tf.float32)

Files in reading order:
cells          normalizes the gates of an LSTM: LayerNormBasicLSTMCell
wrappers       adds projections, embeddings or attention to a cell
projection     multiplies by the variables of a wrapper
block_lstm     computes an LSTM in one operation: LSTMBlockFusedCell
fused          runs cells over whole sequences: FusedRNNCell
bidirectional  stacks layers of both directions: stack_bidirectional_dynamic_rnn
"""

import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.rnn.bidirectional import (
    best_effort_input_batch_size,
    stack_bidirectional_dynamic_rnn,
    stack_bidirectional_rnn,
    transpose_batch_time,
)
from legacy.contrib.rnn.block_lstm import (
    LSTMBlockCell,
    LSTMBlockFusedCell,
    LSTMBlockWrapper,
)
from legacy.contrib.rnn.cells import LayerNormBasicLSTMCell, LayerRNNCell
from legacy.contrib.rnn.fused import (
    FusedRNNCell,
    FusedRNNCellAdaptor,
    TimeReversedFusedRNN,
)
from legacy.contrib.rnn.wrappers import (
    AttentionCellWrapper,
    EmbeddingWrapper,
    HighwayWrapper,
    InputProjectionWrapper,
    OutputProjectionWrapper,
)

BasicLSTMCell = tf.compat.v1.nn.rnn_cell.BasicLSTMCell
BasicRNNCell = tf.compat.v1.nn.rnn_cell.BasicRNNCell
DeviceWrapper = tf.compat.v1.nn.rnn_cell.DeviceWrapper
DropoutWrapper = tf.compat.v1.nn.rnn_cell.DropoutWrapper
GRUCell = tf.compat.v1.nn.rnn_cell.GRUCell
LSTMCell = tf.compat.v1.nn.rnn_cell.LSTMCell
LSTMStateTuple = tf.compat.v1.nn.rnn_cell.LSTMStateTuple
MultiRNNCell = tf.compat.v1.nn.rnn_cell.MultiRNNCell
RNNCell = tf.compat.v1.nn.rnn_cell.RNNCell
ResidualWrapper = tf.compat.v1.nn.rnn_cell.ResidualWrapper
static_bidirectional_rnn = tf.compat.v1.nn.static_bidirectional_rnn
static_rnn = tf.compat.v1.nn.static_rnn
static_state_saving_rnn = tf.compat.v1.nn.static_state_saving_rnn

__getattr__ = _missing.attribute_of("rnn")

__all__ = [
    "AttentionCellWrapper",
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "EmbeddingWrapper",
    "FusedRNNCell",
    "FusedRNNCellAdaptor",
    "GRUCell",
    "HighwayWrapper",
    "InputProjectionWrapper",
    "LSTMBlockCell",
    "LSTMBlockFusedCell",
    "LSTMBlockWrapper",
    "LSTMCell",
    "LSTMStateTuple",
    "LayerNormBasicLSTMCell",
    "LayerRNNCell",
    "MultiRNNCell",
    "OutputProjectionWrapper",
    "RNNCell",
    "ResidualWrapper",
    "TimeReversedFusedRNN",
    "best_effort_input_batch_size",
    "stack_bidirectional_dynamic_rnn",
    "stack_bidirectional_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
    "transpose_batch_time",
]
