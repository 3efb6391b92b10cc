"""Tests of cells with attention."""

import pytest
import tensorflow as tf

from legacy.contrib import rnn, seq2seq
from legacy.contrib.seq2seq import attention_wrapper

tf1 = tf.compat.v1
pytestmark = pytest.mark.filterwarnings("ignore:`tf.nn.rnn_cell:UserWarning")


class Fixed(seq2seq.AttentionMechanism):
    """Mechanism whose alignments do not depend on the query."""

    values = tf.constant([[[1.0, 10.0], [3.0, 30.0]]])
    alignments_size = state_size = 2

    def __call__(self, query, state):
        return tf.constant([[0.25, 0.75]]), state + 1


def test_the_context_is_the_mean_of_the_values():
    query, state = tf.constant([[7.0]]), tf.zeros([1])
    context, _, after = attention_wrapper.compute_attention(Fixed(), query, state, None)
    assert context.numpy().tolist() == [[0.25 + 2.25, 2.5 + 22.5]]
    assert after.numpy().tolist() == [1.0]
    joined, _, _ = attention_wrapper.compute_attention(Fixed(), query, state, tf.identity)
    assert joined.numpy().tolist() == [[7.0, 2.5, 25.0]]


def test_a_state_keeps_its_shapes_and_its_batch(session):
    mechanism = seq2seq.LuongAttention(3, tf.ones([2, 4, 5]))
    cell = seq2seq.AttentionWrapper(rnn.BasicRNNCell(3), mechanism, 3, alignment_history=True)
    state = cell.zero_state(2, tf.float32)
    assert state.clone(cell_state=tf.ones([2, 3])).alignments is state.alignments
    with pytest.raises(ValueError, match="Invalid shape for tensor"):
        state.clone(cell_state=tf.ones([2, 4]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Non-matching batch sizes"):
        session.run(cell.zero_state(tf1.placeholder_with_default(3, []), tf.float32).cell_state)
    with pytest.raises(TypeError, match="AttentionWrapperState"):
        cell(tf.ones([2, 4]), state.cell_state)
