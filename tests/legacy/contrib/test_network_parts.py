"""Tests of names in contrib.layers, framework, slim, rnn, ...: provided, or left out."""

import importlib

import pytest

from legacy import contrib
from legacy.contrib import _missing

PARTS = (
    "crf",
    "framework",
    "image",
    "layers",
    "losses",
    "nn",
    "opt",
    "rnn",
    "seq2seq",
    "slim",
    "slim.nets",
    "slim.nets.inception",
    "losses.metric_learning",
)


@pytest.mark.parametrize("part", PARTS)
def test_all_names_what_there_is(part):
    module = importlib.import_module(f"legacy.contrib.{part}")
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name), name


def test_what_is_left_out_is_left_out():
    checked = 0
    for path in _missing.rows():
        module, _, name = path.rpartition(".")
        if module in PARTS:
            with pytest.raises(AttributeError, match="is not provided: .*; "):
                getattr(importlib.import_module(f"legacy.contrib.{module}"), name)
            checked += 1
    assert checked > 80


def test_slim_has_the_names_of_layers_and_framework():
    assert contrib.slim.conv2d is contrib.layers.conv2d
    assert contrib.slim.arg_scope is contrib.framework.arg_scope
    assert {"conv2d", "arg_scope", "learning"} <= set(dir(contrib.slim))
    with pytest.raises(
        AttributeError, match=r"^module 'tf\.contrib\.slim' has no attribute 'Nope'"
    ):
        _ = contrib.slim.Nope
