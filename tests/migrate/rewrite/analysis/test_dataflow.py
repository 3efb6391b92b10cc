"""Tests for following names to their values, and for texts in other places."""

import ast

import pytest

from migrate.rewrite.analysis.dataflow import Env, Reader, UnknownValue
from migrate.rewrite.engine.source_file import SourceFile


def reader_and_argument(text, scope=None):
    """Returns a Reader, and the argument of the last call `use(...)`."""
    file = SourceFile(text)
    call = [node for node in file.nodes if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name) and node.func.id == "use"][-1]  # fmt: skip
    return Reader(file, scope), call.args[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = 'x'\nuse(a + '_id')", "x_id"),
        ("a = b = 3\nuse([1, 2])", [1, 2]),
        ("a = 3\nb = a\nuse(b)", 3),
        ("a, b = 3, 'y'\nuse(b)", "y"),
        ("def f(n, m=4):\n  return n, m\na, b = f(3)\nuse([a, b])", [3, 4]),
    ],
)
def test_names_have_the_values_of_their_assignments(text, value):
    reader, node = reader_and_argument(text)
    assert reader.literal(node, Env()) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("if c:\n  a = 3\nelse:\n  a = 4\nuse(a)", "the value of a in line 5 is unknown"),
        ("a = f()\nuse(a)", "the value of a in line 2 is unknown"),
        (
            "def f(n):\n  if n:\n    return 1\n  return 2\na, b = f(3)\nuse(a)",
            "the result of f",
        ),
        ("def f(n):\n  return n, n\na, b = f(*c)\nuse(a)", "the arguments of f"),
    ],
)
def test_what_is_not_known_is_named(text, reason):
    reader, node = reader_and_argument(text)
    with pytest.raises(UnknownValue, match=reason):
        reader.literal(node, Env())


@pytest.mark.parametrize(
    "text",
    [
        "a = a\nuse(a)",
        "a = b\nb = a\nuse(a)",
        "a = [a]\nuse(a)",
        "a, b = a, 1\nuse(a)",
        "a, b = b, a\nuse(a)",
        "def f():\n  return a, 1\na, b = f()\nuse(a)",
        "def f(n):\n  c, d = f(n)\n  return c, 1\na, b = f(3)\nuse(a)",
    ],
)
def test_a_name_with_its_own_value_is_unknown(text):
    reader, node = reader_and_argument(text)
    with pytest.raises(UnknownValue):
        reader.literal(node, Env())


def test_a_name_with_its_own_value_has_no_text_in_another_function():
    reader, node = reader_and_argument("def f():\n  sizes = [sizes]\n  use(sizes)\n")
    with pytest.raises(UnknownValue, match="the value of sizes in line 3 is unknown"):
        reader.text(node, Env())


def test_the_result_of_a_function_that_calls_itself_is_unknown():
    reader, node = reader_and_argument("def f():\n  return [*f()]\nuse(f())")
    with pytest.raises(UnknownValue, match=r"the result of f\(\) is unknown"):
        reader.result_of(node, Env())


def test_a_function_may_be_called_with_its_own_result():
    text = "def f(n, m):\n  return n, m\na, b = f(1, 2)\nc, d = f(a, b)\nuse(c)"
    reader, node = reader_and_argument(text)
    assert reader.literal(node, Env()) == 1


def test_each_round_of_a_loop_has_its_values():
    text = "SIZES = {'a': 1, 'b': 2}\nfor name, size in SIZES.items():\n  use([name, size])\n"
    reader, node = reader_and_argument(text)
    loop = reader.file.tree.body[1]
    found = [reader.literal(node, env) for env in reader.each(loop, Env())]
    assert found == [["a", 1], ["b", 2]]


def test_a_text_for_the_module_has_no_names_of_a_function():
    text = "N = 3\ndef f():\n  width = N + 1\n  use([width * 2, [n for n in x]])\nx = []\n"
    reader, node = reader_and_argument(text)
    assert reader.text(node, Env()) == "[(N + 1) * 2, [n for n in x]]"
    assert reader.named == {"N", "x"}
    inside = Reader(reader.file, reader.file.function(node))
    assert inside.text(node, Env()) == "[width * 2, [n for n in x]]"
    assert inside.local == {"width"}
