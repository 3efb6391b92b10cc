"""Tests for the model_fn of an Estimator: refusals and their reasons."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("def model_fn", "@other.wrapped\ndef model_fn", "not a function of"),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)


def test_all_reasons_are_listed():
    text = base_program.BASE.replace("params={", "config=e.RunConfig(tf_random_seed=1), params={")
    (made,) = fixed_point.rewrite(text, base_program.RULE, plan=tools.plan(api="v2")).suggestions
    for reason in ("other checkpoints", "tf_random_seed"):
        assert reason in made.reason


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ("options = {'units': 1}", "after the Estimator has copied it"),
        ("options = {1: 2, 'units': 1}", "keys that are not strings"),
    ],
)
def test_params_that_an_estimator_had_a_copy_of_are_looked_at(params, reason):
    text = base_program.BASE.replace('params={"units": 1}', "params=options")
    text = text.replace("job =", f"{params}\njob =")
    text += "options['units'] = 2\n" if "copied" in reason else ""
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    assert reason in outcome.suggestions[0].reason


def test_a_model_fn_that_something_else_uses_stays_beside_its_class():
    text = base_program.BASE + "other.check(model_fn)\n"
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "def model_fn(" in outcome.text
    assert "class Model(" in outcome.text


@pytest.mark.parametrize("is_shared", [False, True])
def test_an_alias_is_removed_unless_other_files_may_import_it(is_shared):
    text = base_program.BASE.replace(
        "job = e.Estimator(model_fn", "f = model_fn\njob = e.Estimator(f"
    )
    plan = tools.plan(api="v2", is_shared=is_shared)
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=plan)
    if is_shared:
        assert outcome.text == text
    else:
        assert "f = model_fn" not in outcome.text
        assert 'job = Model({"units": 1})' in outcome.text


def test_the_bridge_is_there_for_those_who_skip_the_rule():
    both = [*base_program.RULE, *tools.rule("modern", "estimators")]
    plan = tools.plan(api="v2")
    assert (
        "class Model(" in fixed_point.rewrite(base_program.BASE, both, unsafe=True, plan=plan).text
    )
    assert fixed_point.rewrite(base_program.BASE, both, plan=plan).text == base_program.BASE
    text = fixed_point.rewrite(base_program.BASE, both[1:], plan=plan).text
    assert "bridge.KerasModelFn(" in text
