"""Tests for the input probe: it finds varying batches, and counts the examples per batch."""

import pytest

from benchmarks.own_jobs import input_probe
from tests.benchmarks import own_program


@pytest.mark.parametrize(
    ("call", "varies", "follows_seed"),
    [
        (own_program.input_fn, "", False),
        (own_program.shuffled_by_seed, "", True),
        (lambda: own_program.shuffled({"buffer": 64}), "by the random seed", True),
        (own_program.random, "other batches each time", True),
    ],
)
def test_repetition(call, varies, follows_seed):
    found = input_probe.examine(call, 5)
    assert found.follows_seed == follows_seed
    assert bool(found.varies) == bool(varies)
    assert varies in found.varies


def test_a_difference_that_only_a_graph_shows():
    import tensorflow as tf

    def call():
        return own_program.input_fn().skip(int(tf.executing_eagerly()))

    assert input_probe.examine(call, 3) == input_probe.Repetition(
        "gives other batches in a graph than eagerly", False
    )


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (own_program.input_fn, [16] * 6),
        (own_program.finite, [16, 16, 16, 12]),
        (own_program.uneven, [16, 16, 16, 12, 16, 16]),
        (lambda: own_program.input_fn().take(3).unbatch().batch(16, drop_remainder=True), [16] * 3),
    ],
)
def test_sizes(call, expected):
    found = input_probe.sizes(call(), 6)
    assert found.batches.tolist() == expected
    assert found.uniform == (len(set(expected)) == 1)
    assert found.first(2) == 32
    assert found.spread == max(expected) - min(expected)
