"""Tests for values that a model_fn chooses by its settings."""

import ast

from migrate.rewrite.model_fns import choices
from migrate.rewrite.model_fns.analysis import resolving
from migrate.rewrite.model_fns.analysis.modes import Path


def choice(*lines):
    (*statements, last) = ast.parse("\n".join(lines)).body
    path = Path(statements, last.value)
    return choices.of(path, last.value, lambda node: resolving.resolved(path, node))


def test_each_branch_has_its_path():
    chosen = choice("a = 1", "if b:", "    a = 2", "    c = 3", "a")
    assert ast.unparse(chosen.test) == "b"
    assert [statement.lineno for statement in chosen.first.path.statements] == [1, 3, 4]
    assert [statement.lineno for statement in chosen.second.path.statements] == [1]
    assert [branch.value.id for branch in (chosen.first, chosen.second)] == ["a", "a"]


def test_a_branch_may_end_with_an_error():
    chosen = choice("if b:", "    a = 2", "else:", "    raise ValueError(b)", "a")
    assert isinstance(chosen.second.value, ast.Raise)
    assert choice("if b:", "    a = 2", "a").second.value is None


def test_expressions_choose_too():
    chosen = choice("a if b else c")
    assert (chosen.first.value.id, chosen.second.value.id) == ("a", "c")


def test_other_values_are_not_chosen():
    assert choice("if b:", "    a = 2", "a = 3", "a") is None
    assert choice("f(a)") is None


def test_a_dictionary_chooses_by_its_keys():
    chosen = choice("table = {'a': A, 'b': B}", "table[key](rate)")
    assert (ast.unparse(chosen.test), ast.unparse(chosen.key)) == ("key", "'a'")
    assert ast.unparse(chosen.first.value) == "A(rate)"
    assert ast.unparse(chosen.second.value) == "{'b': B}[key](rate)"
    assert choice("{'b': B}[key]").second.value is None


def test_a_dictionary_may_have_a_default():
    chosen = choice("{'a': A}.get(key, B)")
    assert [branch.value.id for branch in (chosen.first, chosen.second)] == ["A", "B"]


def test_a_dictionary_with_equal_or_unknown_keys_does_not_choose():
    assert choice("{'a': A, 'a': B}[key]") is None
    assert choice("{**table, 'a': A}[key]") is None


def test_an_entry_may_be_a_lambda_without_parameters():
    chosen = choice("{'a': lambda: A(rate), 'b': lambda x: B(x)}[key]()")
    assert ast.unparse(chosen.first.value) == "A(rate)"
    assert ast.unparse(choice("{'a': lambda x: A(x)}[key](rate)").first.value) == (
        "(lambda x: A(x))(rate)"
    )
