"""Tests for the lines of `__init__` that make objects, and for the loops that call them."""

import ast
import types

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.layers import object_lines
from migrate.rewrite.model_fns.layers.numbering import Numbering
from migrate.rewrite.model_fns.layers.object_maker import Object
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.model_fns.rendering import Rendered

LOOP = "for size in sizes:\n    net = dense(net, size)\n"


def lines_of(*items, counter="", text=LOOP):
    file = SourceFile(text)
    maker = types.SimpleNamespace(
        init_rendered=Rendered(file), left_out=set(), nests=types.SimpleNamespace(loops=[])
    )
    objects = types.SimpleNamespace(
        items=[item._replace(loop=file.tree.body[0]) if item.loop else item for item in items],
        setup=[],
        loop_sources={},
        maker=maker,
    )
    numbering = Numbering(file)
    return object_lines.init_lines(file, objects, numbering, counter), objects, file


def layer(attribute, loop=None, tests=(), own='"a"'):
    return Object(attribute, "Dense", ("3",), loop, (), ScopedName((), own, "dense"), tests)


def test_layers_are_attributes_under_their_conditions():
    lines, _, _ = lines_of(layer("a"), layer("b", tests=("big",)))
    assert "\n".join(lines) == (
        '        self.a = Dense(3, name="a")\n'
        "        if big:\n"
        '            self.b = Dense(3, name="a")'
    )


def test_layers_without_a_name_are_numbered():
    lines, _, _ = lines_of(layer("a", own=None), layer("b", own=None))
    assert lines == [
        '        self.a = Dense(3, name="dense")',
        '        self.b = Dense(3, name="dense_1")',
    ]


def test_the_layers_of_a_loop_are_a_list():
    lines, _, _ = lines_of(layer("a", loop=True))
    assert "\n".join(lines).splitlines() == [
        "        self.a = [",
        '            Dense(3, name="a")',
        "            for size in sizes",
        "        ]",
    ]


def test_counted_layers_of_a_loop_are_made_in_the_order_of_their_calls():
    lines, _, _ = lines_of(layer("a", loop=True), layer("b", loop=True), counter="names")
    text = "\n".join(lines)
    ast.parse(f"def f():\n{text}")
    assert "        for size in sizes:\n            self.a.append(Dense(3, name=names(" in text


@pytest.mark.parametrize(
    ("text", "head"),
    [
        (LOOP, "for size, a in zip(sizes, self.a):"),
        ("for _ in sizes:\n    net = dense(net)\n", "for a in self.a:"),
        ("for i, n in pairs:\n    net = dense(net, n)\n", "for (i, n), a in zip(pairs, self.a):"),
    ],
)
def test_a_loop_iterates_over_its_layers(text, head):
    _, objects, file = lines_of(layer("a", loop=True), text=text)
    rendered = Rendered(file)
    for _ in range(2):  # The text of a class is written several times.
        object_lines.replace_loop(file, objects, rendered, file.tree.body[0])
    assert rendered.statement(file.tree.body[0], "").splitlines()[0] == head
