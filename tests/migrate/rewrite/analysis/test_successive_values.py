"""Tests for variables that hold several values after each other."""

import ast

import pytest

from migrate.rewrite.analysis import estimator_uses, successive_values
from migrate.rewrite.engine.source_file import SourceFile
from tests.migrate.rewrite import tools


def _values(text):
    """Returns the values of `a` at its uses, or None where they are unknown."""
    file = SourceFile(text)
    uses = [
        node
        for node in file.nodes
        if isinstance(node, ast.Name) and node.id == "a" and isinstance(node.ctx, ast.Load)
    ]
    assignments = [successive_values.assignment(file, use) for use in sorted(uses, key=file.span)]
    return [ast.unparse(found.value) if found else None for found in assignments]


KNOWN = {
    "module": ("a = 1\nprint(a)\na = 2\nprint(a)\n", ["1", "2"]),
    "function": ("def f():\n  a = 1\n  g(a)\n  a = 2\n  return a\n", ["1", "2"]),
    "main": ("if __name__ == '__main__':\n  a = 1\n  f(a)\n  a = 2\n  f(a)\n", ["1", "2"]),
    "own value": ("a = 1\na = f(a)\na.g()\n", ["1", "f(a)"]),
    "scope": ("a = 1\nf(a)\nwith s.scope():\n  a = 2\n  f(a)\nf(a)\n", ["1", "2", "2"]),
    "loop": ("a = 1\nfor b in c:\n  f(a)\na = 2\nif b:\n  f(a)\n", ["1", "2"]),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_value_is_that_of_the_assignment_above(name):
    text, values = KNOWN[name]
    assert _values(text) == values


UNKNOWN = [
    "a = 1\nf(a)\n",
    "a = 1\nif b:\n  a = 2\nf(a)\n",
    "a = 1\nf(a)\nfor b in c:\n  a = 2\nf(a)\n",
    "a = 1\ntry:\n  a = 2\nexcept E:\n  pass\nf(a)\n",
    "a = 1\nwith suppress(E):\n  a = 2\nf(a)\n",
    "a = 1\ndef f():\n  return a\na = 2\n",
    "a = 1\nf(lambda: a)\na = 2\n",
    "f(a)\na = 1\na = 2\n",
    "a = 1\na = b = 2\nf(a)\n",
    "a = 1\na, b = 2, 3\nf(a)\n",
    "a = 1\na += 2\nf(a)\n",
    "a = 1\nf(a)\ndel a\na = 2\n",
    "a = 1\nf(a)\na = 2\ndef g():\n  global a\n  a = 3\n",
    "def f(a):\n  g(a)\n  a = 2\n  a = 3\n",
    "if __name__ == '__main__':\n  a = 1\n  a = 2\nf(a)\n",
]


@pytest.mark.parametrize("text", UNKNOWN)
def test_other_values_are_unknown(text):
    assert set(_values(text)) == {None}
    file = SourceFile(text)
    names = [node for node in file.nodes if isinstance(node, ast.Name) and node.id == "a"]
    assert {successive_values.assignment(file, name) for name in names} == {None}


def test_each_estimator_has_its_own_calls():
    text = (
        "from legacy import estimator as e\n"
        "job = e.LinearClassifier(c)\njob.train(f)\njob = e.Estimator(m)\njob.evaluate(g)\n"
    )
    file = SourceFile(text, plan=tools.plan(api="v2"))
    uses = [estimator_uses.read(file, name.call) for name in file.names() if name.call]
    assert [[call.method for call in use.calls] for use in uses] == [["train"], ["evaluate"]]
    assert all(call.is_near for use in uses for call in use.calls)
    assert [len(use.constructions) for use in uses] == [1, 1]
