"""Tests for editing the arguments of a call."""

import ast

import pytest

from migrate.rewrite.engine import arguments

LONG = "dense(\n    x,  # the input\n    10,\n    activation=None,  # linear\n)"


def edited(text, *steps):
    call = arguments.Arguments(text)
    for method, *given in steps:
        getattr(call, method)(*given)
    return call.code


@pytest.mark.parametrize(
    ("text", "steps", "expected"),
    [
        ("f(a, b)", [("name_positional", ("x", "y"))], "f(x=a, y=b)"),
        ("f(a, b, *c)", [("name_positional", ("x", "y", "z"), 1)], "f(a, y=b, *c)"),
        ("f(a, k=1)", [("rename", "k", "n"), ("rename", "absent", "m")], "f(a, n=1)"),
        ("f(a, k=1)", [("remove", "k")], "f(a)"),
        ("f(a, k=1)", [("set_value", "k", "2"), ("set_value", "n", "g(3)")], "f(a, k=2, n=g(3))"),
        ("f()", [("add", "k", "1")], "f(k=1)"),
        ("f.g(a)", [("set_function", "tf.h")], "tf.h(a)"),
        (LONG, [("remove", "activation")], "dense(\n    x,  # the input\n    10,  # linear\n)"),
        (LONG, [("add", "name", '"a"')], LONG.replace("None,  #", 'None,\n    name="a",  #')),
    ],
)
def test_other_arguments_keep_their_layout(text, steps, expected):
    found = edited(text, *steps)
    assert found == expected
    ast.parse(found)


def test_reads_values_and_removes_by_position():
    call = arguments.Arguments("f(a + 1, b, key=[1, 2])")
    assert (call.count, call.names, call.value("key"), call.value("other")) == (
        2,
        ["key"],
        "[1, 2]",
        None,
    )
    assert call.remove_at(0) == "a + 1"
    assert call.code == "f(b, key=[1, 2])"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(1, b=2)", {"a": "1", "b": "2"}),
        ("f(1, more=2)", {"a": "1", "more": "2"}),
        ("f(*x)", None),
        ("f(**x)", None),
        ("f(1, 2, 3)", None),
    ],
)
def test_binds_arguments_to_parameters(text, expected):
    call = ast.parse(text, mode="eval").body
    found = arguments.bind(call, ("a", "b"))
    assert (found and {name: ast.unparse(value) for name, value in found.items()}) == expected
