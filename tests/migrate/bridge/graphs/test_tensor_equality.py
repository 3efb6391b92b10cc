"""Tests for the switch of tensor equality, which all threads share."""

import pytest
import tensorflow as tf

from migrate.bridge.graphs import tensor_equality


def _is_enabled():
    return tf.is_tensor(tf.constant(1) == 1)


def test_it_is_off_until_the_last_block_has_ended():
    variable = tf.Variable(1.0)
    first, second = tensor_equality.disabled(), tensor_equality.disabled()
    with first:
        second.__enter__()
        assert variable in {variable}
    assert not _is_enabled()
    second.__exit__(None, None, None)
    assert _is_enabled()


def test_an_error_in_the_block_switches_it_on():
    with pytest.raises(KeyError), tensor_equality.disabled():
        raise KeyError
    assert _is_enabled()
