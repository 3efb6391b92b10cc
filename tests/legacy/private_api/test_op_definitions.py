"""Tests of the definitions of operations."""

import pytest

from legacy.private_api import op_definitions


def test_operations_have_definitions():
    definitions = op_definitions.get_registered_ops()
    assert {"Add", "MatMul", "VariableV2"} <= set(definitions)
    assert len(definitions) == len(list(definitions)) > 1000
    assert [argument.name for argument in definitions["MatMul"].input_arg] == ["a", "b"]
    assert "NoSuchOp" not in definitions
    with pytest.raises(KeyError):
        definitions["__name__"]
