"""Tests of decorators that warn of deprecated functions, arguments and values."""

import pytest
import tensorflow as tf

from legacy.contrib import framework


@pytest.fixture
def warned(monkeypatch):
    lines = []
    monkeypatch.setattr(tf.compat.v1.logging, "warning", lambda text, *args: lines.append(args))
    return lines


def test_a_function_warns_once(warned):
    @framework.deprecated("2020-01-01", "Use that.")
    def old():
        return 3

    assert [old(), old()] == [3, 3]
    assert len(warned) == 1
    assert warned[0][-2:] == ("after 2020-01-01", "Use that.")


def test_an_argument_warns_when_it_is_given(warned):
    @framework.deprecated_args(None, "Leave it out.", "old", ("empty", None))
    def function(new, old=1, empty=None):
        return new

    function(1, empty=None)
    assert not warned
    function(1, 2)
    function(1, empty=3)
    assert [line[3] for line in warned] == [" with old", " with empty"]


def test_a_value_warns(warned):
    @framework.deprecated_arg_values(None, "Use False.", warn_once=False, flag=True)
    def function(flag=False):
        return flag

    function()
    function(True)
    function(flag=True)
    assert len(warned) == 2
