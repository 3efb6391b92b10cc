"""Tests that code which gets tensors from Keras is found, and symbolic tensors."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import layer_code

TEXT = """
import tf_keras as keras
from modern.porting import heads
class Base(keras.layers.Layer):
    pass
class Layer(Base):
    def __init__(self):
        first()
    def call(self, x):
        return second(x)
class Head(heads.Regressor):
    def call(self, x):
        return third(x)
class Other:
    def call(self, x):
        return fourth(x)
inputs = keras.Input([2])
net = keras.layers.Dense(2)(inputs)
model = keras.Model(inputs, fifth(net))
sixth(model.predict(data))
seventh(net.shape)
"""
FILE = SourceFile(TEXT)


def call(name):
    return next(
        node for node in FILE.nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == name
    )


@pytest.mark.parametrize(
    ("name", "is_in_call"),
    [("first", False), ("second", True), ("third", True), ("fourth", False), ("fifth", False)],
)
def test_methods_that_get_tensors_are_found(name, is_in_call):
    assert layer_code.is_in_call(FILE, call(name)) is is_in_call


@pytest.mark.parametrize(
    ("name", "is_symbolic"), [("second", False), ("fifth", True), ("sixth", False)]
)
def test_symbolic_tensors_are_found(name, is_symbolic):
    assert layer_code.is_symbolic(FILE, call(name).args[0]) is is_symbolic
