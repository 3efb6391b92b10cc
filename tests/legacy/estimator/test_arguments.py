"""Tests that the argument names of a function are those that TensorFlow 2.15 found."""

import functools

import pytest

from legacy.estimator import arguments


def function(features, labels, mode):
    """A plain function."""


class Callable:
    def __call__(self, features, mode):
        """Receives arguments as a function does."""

    def method(self, config):
        """A method."""


@functools.wraps(function)
def wrapper(*args, **kwargs):
    """Looks like `function`, but takes any arguments."""


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        (function, ("features", "labels", "mode")),
        (Callable(), ("features", "mode")),
        (Callable().method, ("config",)),
        (functools.partial(function, labels=1), ("features", "mode")),
        (functools.partial(function, 1), ("labels", "mode")),
        (functools.partial(Callable(), mode=1), ("features",)),
        (lambda a, *args, b=1, **kwargs: None, ("a",)),
        (wrapper, ()),
    ],
)
def test_names(asking, expected):
    assert arguments.names(asking) == expected


def test_what_is_not_asked_for_is_not_made():
    offered = {"mode": lambda: "train", "params": lambda: 1 / 0}
    assert arguments.asked_for(function, offered) == {"mode": "train"}
