"""Tests for metrics that become those of Keras: refusals and their reasons."""

import re

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            base_program.METRICS,
            '{"a": tf.metrics.sparse_recall_at_k(labels, out, 1)}',
            "sparse_recall_at_k",
        ),
        (
            base_program.METRICS,
            '{"auc": tf.metrics.auc(labels, out, curve="PR")}',
            "the argument curve",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)


MEAN = "tf.metrics.mean(out)"


def _with_condition(test, *body):
    lines = "".join(f"        {line}\n" for line in body)
    text = f"    metrics = {base_program.METRICS}\n    if {test}:\n{lines}"
    return base_program.BASE.replace(f"    metrics = {base_program.METRICS}\n", text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (_with_condition("out is None", f'metrics["m"] = {MEAN}'), "change in line"),
        (_with_condition("other.test(net)", f'metrics["m"] = {MEAN}'), "change in line"),
        (
            _with_condition(
                'params["more"]', "size = out * 2", 'metrics["m"] = tf.metrics.mean(size)'
            ).replace("mean_absolute_error(labels, out)", "mean_absolute_error(labels, size)"),
            "no value for size|not all modes assign size",
        ),
    ],
)
def test_conditions_on_more_than_settings_are_refused(text, reason):
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert outcome.text == text
    assert re.search(reason, outcome.suggestions[0].reason)


def test_a_condition_on_settings_is_kept():
    text = _with_condition('params["more"]', f'metrics["m"] = {MEAN}')
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "if params['more']:" in outcome.text
    assert "if self.params['more']:" in outcome.text
