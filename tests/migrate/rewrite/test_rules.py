"""Tests that each rule rewrites its examples as shown, with the same results, and nothing else."""

import ast
import subprocess
import sys

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from migrate.rewrite.rules import examples
from tests.migrate.rewrite import tools
from tests.oracle import compare

RULES = [*tools.TO_LEGACY, *tools.TO_MODERN, *tools.TO_KERAS3]
EXAMPLES = [(rule, example) for rule in RULES for example in examples.of(rule)]
EXAMPLE_IDS = [f"{rule.name}-{example.name}" for rule, example in EXAMPLES]
UNCHANGED = [
    pytest.param(rule, text, id=f"{rule.name}-{name}")
    for rule in RULES
    for name, text in examples.unchanged(rule).items()
]


@pytest.fixture(scope="module")
def computed():
    """Returns the results of all examples, by (number, "before" or "after").

    Examples of TensorFlow 1 run under legacy before the rewrite. After it, they run without legacy
    in graph mode and, for rules to modern, also eagerly. Examples of rules to Keras 3 run with
    tf_keras before the rewrite. After it, all rules to Keras 3 have been applied. If these rules
    can move the result of a rule to modern, it runs with Keras 3, too.
    """
    tasks = {"old": [], "graph": [], "eager": [], "keras3": []}
    for number, (rule, example) in enumerate(EXAMPLES):
        is_v1 = example.api == "v1"
        tasks["old" if is_v1 else "eager"].append((number, "before", example.before))
        if is_v1:
            tasks["graph"].append((number, "after", example.after))
        if rule.to == "keras3":
            text = with_keras3(example, example.before)
            assert text is not None
            tasks["keras3"].append((number, "after", text))
        if rule.to == "modern":
            tasks["eager"].append((number, "after", example.after))
            text = with_keras3(example, example.after)
            if text not in (None, example.after):
                tasks["keras3"].append((number, "after", text))
    found = {}
    for how, programs in tasks.items():
        results = tools.run([text for _, _, text in programs], how)
        for (number, when, _), result in zip(programs, results, strict=True):
            found.setdefault((number, when), []).append(result)
    return found


def with_keras3(example, text):
    """Returns a text of an example after all rules to Keras 3. None if it stays on tf_keras."""
    plan = tools.plan(api=example.api)
    outcome = fixed_point.rewrite(text, tools.TO_KERAS3, unsafe=example.unsafe, plan=plan)
    stays = any(record.needed for record in outcome.suggestions)
    return None if stays else outcome.text


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=EXAMPLE_IDS)
def test_example_is_transformed(rule, example):
    tools.check_transformed(
        example.before, example.after, [rule], unsafe=example.unsafe, api=example.api
    )
    if example.unsafe:
        outcome = tools.check_noop(example.before, [rule], api=example.api)
        assert {made.rule.name for made in outcome.suggestions} == {rule.name}


def test_each_example_has_a_result_to_compare():
    without = [
        name
        for name, (_, example) in zip(EXAMPLE_IDS, EXAMPLES, strict=True)
        if not {
            node.id
            for node in ast.walk(ast.parse(example.before))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }.intersection(("x", "y", "z"))
    ]
    assert without == []


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EXAMPLES)), ids=EXAMPLE_IDS)
def test_example_computes_the_same(computed, number):
    (before,) = computed[number, "before"]
    assert before, "has no x, y or z"
    assert "raised" not in before, before
    for after in computed[number, "after"]:
        assert compare.differences(before, after) == []


@pytest.mark.parametrize(("rule", "text"), UNCHANGED)
def test_unchanged_is_left_alone(rule, text):
    tools.check_noop(text, [rule])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.to}-{rule.name}")
def test_rule_says_what_is_to_be_said(rule):
    assert rule.message.endswith(".")
    assert rule.source.startswith("https://")
    assert rule.symbols
    first = next(iter(examples.of(rule)), None)
    assert first or rule.name == "missing_names"  # It only reports.
    assert not first or not rule.safe or not first.unsafe


def test_four_in_ten_are_no_ops():
    assert len(UNCHANGED) >= 0.4 * (len(UNCHANGED) + len(EXAMPLES))


def test_examples_do_not_disturb_each_other():
    """All rules of a direction together turn an example into valid Python, and terminate."""
    for rule, example in EXAMPLES:
        applied = rules.all_rules(rule.to)
        plan = tools.plan(api=example.api)
        outcome = fixed_point.rewrite(example.before, applied, unsafe=True, plan=plan)
        ast.parse(outcome.text)
        again = fixed_point.rewrite(outcome.text, applied, unsafe=True, plan=plan)
        assert again.text == outcome.text


def test_metadata_are_read_without_examples_libcst_and_tensorflow():
    # The speed of a machine varies, so the time is compared with that of parsing the same files.
    code = (
        "import ast, pathlib, sys, time; from migrate.rewrite import rules; "
        "now = time.process_time; began = now(); "
        "[rules.all_rules(to) for to in rules.DIRECTIONS]; spent = now() - began; "
        "unread = {'migrate.rewrite.rules.examples', 'libcst', 'tensorflow', 'numpy'}; "
        "files = pathlib.Path(rules.__file__).parent.rglob('*.py'); began = now(); "
        "[ast.parse(file.read_text()) for file in files if 'examples' not in file.parts]; "
        "print(spent / (now() - began), unread & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tools.ROOT, check=True
    )
    times_as_long, _, loaded = done.stdout.strip().partition(" ")
    assert loaded == "set()"
    assert float(times_as_long) < 2


def test_there_are_rules_only_for_what_is_asked():
    with pytest.raises(ValueError, match="sideways"):
        rules.all_rules("sideways")
