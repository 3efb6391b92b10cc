"""Tests for model_fns of which a partial or a lambda sets some arguments."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import bound_arguments, places
from migrate.rewrite.model_fns.places import Place

HEAD = "import functools\ndef model_fn(features, labels, mode, params, size=1):\n    pass\n"


def read(text):
    file = SourceFile(f"{HEAD}n = 3\njob = {text}\n")
    (statement,) = (part for part in file.tree.body if ast.unparse(part).startswith("job"))
    assert isinstance(statement, ast.Assign)
    return bound_arguments.read(file, statement.value), places.of(file, statement.value)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("functools.partial(model_fn, size=n + 1)", "Model(p, size=n + 1)"),
        ("functools.partial(model_fn, params={'a': 1})", "Model({'a': 1})"),
        ("lambda features, labels, mode: model_fn(features, labels, mode, [2])", "Model([2])"),
        (
            "lambda labels, features, mode, params: "
            "model_fn(features, labels, mode, size=4, params=params)",
            "Model(p, size=4)",
        ),
    ],
)
def test_the_model_gets_the_arguments(text, call):
    _, place = read(text)
    assert isinstance(place, Place)
    assert place.constructor_call("Model", "p") == call


@pytest.mark.parametrize(
    "text",
    [
        "functools.partial(model_fn, **options)",
        "functools.partial(model_fn, size=make())",  # It may return another value later.
        "lambda features, labels, mode: model_fn(labels, features, mode)",
        "lambda features, labels, mode: model_fn(features, labels, mode, size=len(mode))",
        "lambda features, labels, mode, other: model_fn(features, labels, mode)",
        "lambda *args: model_fn(*args)",
        "model_fn",
    ],
)
def test_others_are_not_read(text):
    bound, _ = read(text)
    assert bound is None


def test_the_first_arguments_may_be_set():
    head = HEAD.replace("(features, labels, mode, params, size=1)", "(size, features, labels)")
    file = SourceFile(f"{head}job = functools.partial(model_fn, 4)\n")
    place = places.of(file, file.tree.body[-1].value)
    assert isinstance(place, Place)
    assert place.constructor_call("Model", "") == "Model(size=4)"
    assert "sets its features" in read("functools.partial(model_fn, data)")[1]


def test_a_model_fn_with_other_uses_is_refused():
    _, place = read("functools.partial(model_fn, size=2)\nother = model_fn")
    assert place == "its model_fn model_fn has other uses"
