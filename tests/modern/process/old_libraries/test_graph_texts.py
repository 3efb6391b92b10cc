"""Tests of graphs as text, for which older TensorFlow passes an argument that protobuf 7 lacks."""

import types

import pytest
from google.protobuf import text_format, wrappers_pb2

from modern.process.old_libraries import graph_texts

MESSAGE = wrappers_pb2.DoubleValue(value=0.5)


@pytest.fixture
def accepting():
    """Returns a copy of protobuf's module that takes the argument."""
    module = types.SimpleNamespace(MessageToString=text_format.MessageToString)
    graph_texts.accept(module)
    return module


def test_an_empty_format_changes_nothing(accepting):
    expected = text_format.MessageToString(MESSAGE, as_one_line=True)
    assert accepting.MessageToString(MESSAGE, float_format="", as_one_line=True) == expected
    assert accepting.MessageToString(MESSAGE, as_one_line=True) == expected


def test_another_format_is_left_to_protobuf(accepting):
    with pytest.raises(TypeError, match="float_format"):
        accepting.MessageToString(MESSAGE, float_format=".3f")


@pytest.mark.parametrize(
    ("tensorflow", "protobuf", "needed"),
    [((2, 20), 7, True), ((2, 20), 6, False), ((2, 21), 7, False), ((2, 16), 4, False)],
)
def test_only_older_tensorflow_with_newer_protobuf_needs_it(tensorflow, protobuf, needed):
    assert graph_texts.needs_float_format(tensorflow, protobuf) == needed
