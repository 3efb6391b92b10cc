"""Tests for the words of a variable's name."""

import pytest

from migrate.checkpoint.naming import names


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model/block_1/dense/kernel:0", (("model", "block", "1", "dense"), "kernel")),
        ("Block1/conv2d/w", (("block", "1", "conv2d"), "kernel")),
        ("bn/moving_var/.ATTRIBUTES/VARIABLE_VALUE", (("bn",), "moving_variance")),
        ("layers/dense/vars/0", (("layers", "dense"), "")),
        ("own", ((), "own")),
    ],
)
def test_splits_a_name_into_words_and_kind(name, words):
    assert names.words(name) == words


def test_suggests_the_name_that_a_misspelt_one_means():
    assert names.closest("dense/kernal", ["dense/bias", "dense/kernel"]) == "dense/kernel"
    assert names.closest("x", ["dense/bias"]) is None
