"""Each rule does what its examples say, computes the same, and leaves alone what it says it does."""

import ast
import subprocess
import sys

import pytest

from migrate.rewrite import engine, rules
from tests.migrate.rewrite import tools
from tests.oracle import compare

RULES = [*tools.TO_LEGACY, *tools.TO_MODERN]
EXAMPLES = [(rule, example) for rule in RULES for example in rule.examples]
UNCHANGED = [(rule, text) for rule in RULES for text in rule.unchanged]


def _id(value):
    return f"{value.to}-{value.name}" if hasattr(value, "to") else ""


@pytest.fixture(scope="module")
def before():
    """What the examples of all rules compute as they were, under legacy."""
    return tools.run([example.before for _, example in EXAMPLES], "old")


@pytest.fixture(scope="module")
def after():
    """What they compute afterwards, without legacy.install: in a graph of TensorFlow 1."""
    return tools.run([example.after for _, example in EXAMPLES], "graph")


@pytest.fixture(scope="module")
def after_in_eager():
    """What those to modern compute when the program has come to TensorFlow 2."""
    found = iter(tools.run([e.after for rule, e in EXAMPLES if rule.to == "modern"], "eager"))
    return [next(found) if rule.to == "modern" else None for rule, _ in EXAMPLES]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=_id)
def test_example_is_transformed(rule, example):
    tools.check_transformed(example.before, example.after, [rule], unsafe=example.unsafe)
    if example.unsafe:
        outcome = tools.check_noop(example.before, [rule])
        assert {made.rule.name for made in outcome.suggested} == {rule.name}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("number", range(len(EXAMPLES)), ids=lambda i: _id(EXAMPLES[i][0]))
def test_example_computes_the_same(before, after, after_in_eager, number):
    assert before[number], "has no x, y or z"
    assert "raised" not in before[number], before[number]
    assert compare.differences(before[number], after[number]) == []
    if after_in_eager[number] is not None:
        assert compare.differences(before[number], after_in_eager[number]) == []


@pytest.mark.parametrize(("rule", "text"), UNCHANGED, ids=_id)
def test_unchanged_is_left_alone(rule, text):
    tools.check_noop(text, [rule])


@pytest.mark.parametrize("rule", RULES, ids=_id)
def test_rule_says_what_is_to_be_said(rule):
    assert rule.message.endswith(".")
    assert rule.source.startswith("https://")
    assert rule.examples
    assert rule.symbols
    assert rule.safe == any(not example.unsafe for example in rule.examples)


def test_four_in_ten_are_no_ops():
    assert len(UNCHANGED) >= 0.4 * (len(UNCHANGED) + len(EXAMPLES))


def test_examples_do_not_disturb_each_other():
    """All rules of a direction together make of an example what is Python, and come to an end."""
    for rule, example in EXAMPLES:
        applied = rules.all_rules(rule.to)
        outcome = engine.rewrite(example.before, applied, unsafe=True)
        ast.parse(outcome.text)
        assert engine.rewrite(outcome.text, applied, unsafe=True).text == outcome.text


def test_metadata_are_read_without_libcst_and_tensorflow():
    code = (
        "import sys, time; from migrate.rewrite import rules; began = time.process_time(); "
        "[rules.all_rules(to) for to in rules.DIRECTIONS]; spent = time.process_time() - began; "
        "print(spent, {'libcst', 'tensorflow', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tools.ROOT, check=True
    )
    spent, _, loaded = done.stdout.strip().partition(" ")
    assert loaded == "set()"
    assert float(spent) < 0.2


def test_there_are_rules_only_for_what_is_asked():
    with pytest.raises(ValueError, match="sideways"):
        rules.all_rules("sideways")
