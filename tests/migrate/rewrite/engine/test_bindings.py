"""Tests for the bindings of names in a file."""

import ast

import pytest

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools


def used(text):
    """Returns the file and the name that the last call `use(name)` reads."""
    file = SourceFile(text)
    calls = [node for node in file.nodes if isinstance(node, ast.Call)]
    return file, max(calls, key=lambda call: call.lineno).args[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = 3\nuse(a)", "3"),
        ("a = 3\na = 4\nuse(a)", None),
        ("a = 3\ndef f():\n  use(a)", "3"),
        ("a = 3\ndef f():\n  a = 4\n  use(a)", "4"),
        ("a = 3\ndef f():\n  global a\n  a = 4\nuse(a)", None),
        ("def f():\n  a = 3\n  def g():\n    nonlocal a\n    a = 4\n  use(a)", None),
        ("a, b = 3, 4\nuse(a)", None),
        ("def f(a):\n  use(a)", None),
        ("import a\nuse(a)", None),
        ("for a in b:\n  use(a)", None),
    ],
)
def test_the_one_assignment_of_a_name(text, value):
    file, name = used(text)
    found = bindings.assigned_value(file, name)
    assert (found and file.segment(found)) == value


def test_uses_are_those_of_the_scope_and_of_nested_ones():
    file = SourceFile("a = 1\nx = a\ndef f(a):\n  return a\ndef g():\n  return a\n")
    target = file.tree.body[0].targets[0]
    assert [name.lineno for name in bindings.uses(file, target)] == [2, 6]
    assert bindings.uses_of_value(file, file.tree.body[0].value) == bindings.uses(file, target)
    assert bindings.uses_of_value(file, file.tree.body[3].body[0].value) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = None\nif b:\n  a = 3\nuse(a)", True),
        ("a = 3\nuse(a)", False),
        ("def f(b, a=None):\n  use(a)", True),
        ("def f(b=None, a=3):\n  use(a)", False),
        ("def f(*, a=None):\n  use(a)", True),
        ("flags.DEFINE_integer('a', None, 'x')\nuse(FLAGS.a)", True),
        ("flags.DEFINE_integer('a', 3, 'x')\nuse(FLAGS.a)", False),
        ("p.add_argument('--a-b')\nuse(args.a_b)", True),
        ("p.add_argument('--a-b', action='store_true')\nuse(args.a_b)", False),
    ],
)
def test_a_name_or_flag_that_may_be_none(text, expected):
    assert bindings.may_be_none(*used(text)) is expected


@pytest.mark.parametrize(
    ("text", "is_repeated"),
    [
        ("use(a)", False),
        ("for i in b:\n  use(a)", True),
        ("while b:\n  use(a)", True),
        ("async def f():\n  async for i in b:\n    use(a)", True),
        *((text, True) for text in ("[use(a) for i in b]", "{use(a) for i in b}")),
        *((text, True) for text in ("{use(a): 1 for i in b}", "list(use(a) for i in b)")),
        ("for i in b:\n  def f():\n    use(a)", False),
        ("for i in b:\n  async def f():\n    use(a)", False),
        ("[lambda: use(a) for i in b]", False),
        ("a = 1\na += use(a)", False),
    ],
)
def test_a_loop_or_comprehension_of_its_function_repeats_a_node(text, is_repeated):
    file, name = used(text)
    assert bindings.is_repeated(file, name) is is_repeated


def test_reads_of_a_name_are_counted():
    file = SourceFile("def f():\n  return f\nf()\nf = 1\nf.f\n")
    assert bindings.count_reads(file, "f") == 3
    assert bindings.count_reads(file, "f", [file.tree.body[0]]) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use(None)", True),
        ("use(a)", False),
        ("def f(b, a=None):\n  use(a)", True),
        ("f(1)\nf(b=1, a=None)\ndef f(b, a=None):\n  use(a)", True),
        ("f(1, 2)\ndef f(b, a=None):\n  use(a)", False),
        ("f(1, *c)\ndef f(b, a=None):\n  use(a)", False),
        ("f(**c)\ndef f(b, a=None):\n  use(a)", False),
        ("run(f)\ndef f(b, a=None):\n  use(a)", False),
        ("f(1)\ndef f(b, a=3):\n  use(a)", False),
        ("f(1)\ndef f(b, *c, a=None):\n  use(a)", False),
        ("f(1)\ndef f(b, a=None):\n  a = a or 3\n  use(a)", False),
        ("@wrapped\ndef f(b, a=None):\n  use(a)", False),
        ("class A:\n  def f(self, a=None):\n    use(a)", False),
        ("g()\ndef g(b=None):\n  f(b)\ndef f(a=None):\n  use(a)", True),
        ("g(1)\ndef g(b=None):\n  f(b)\ndef f(a=None):\n  use(a)", False),
        ("if c:\n  def f(a):\n    f(a)\nelse:\n  def f(a=None):\n    use(a)\nf(2)", False),
    ],
)
def test_an_argument_that_is_always_none(text, expected):
    assert bindings.is_always_none(*used(text)) is expected


def test_an_argument_that_another_file_may_pass():
    file, node = used("def f(a=None):\n  use(a)")
    for facts in ({}, {"used_elsewhere": frozenset(["f"])}):
        shared = file.under(tools.plan(is_shared=True, **facts))
        assert not bindings.is_always_none(shared, node)
    shared = file.under(tools.plan(is_shared=True, used_elsewhere=frozenset(["g"])))
    assert bindings.is_always_none(shared, node)
