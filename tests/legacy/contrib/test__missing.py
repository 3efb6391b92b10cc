"""Tests of errors for names that are not provided."""

import pytest

from legacy import contrib


def test_a_name_that_is_left_out_says_why_and_what_to_do():
    with pytest.raises(
        AttributeError, match=r"tf\.contrib\.rnn\.GRUBlockCell is not provided: .*; use "
    ):
        _ = contrib.rnn.GRUBlockCell
    with pytest.raises(AttributeError, match=r"tf\.contrib\.gan is not provided: .*; look for"):
        _ = contrib.gan


def test_a_name_that_never_was_is_a_plain_error():
    with pytest.raises(
        AttributeError, match=r"^module 'tf\.contrib\.learn' has no attribute 'Nope'$"
    ):
        _ = contrib.learn.Nope
    assert not hasattr(contrib.training, "HParam")
