"""Tests for functions by name."""

import os.path

import pytest

from migrate import bridge
from migrate.bridge import function_references


def test_a_name_reads_back():
    name = function_references.import_name(os.path.join)
    assert function_references.import_function(name) is os.path.join
    assert bridge.load is function_references.import_function


def test_a_nested_function_has_no_name():
    def nested(): ...

    with pytest.raises(bridge.BridgeError, match="cannot be imported by name"):
        function_references.import_name(nested)
