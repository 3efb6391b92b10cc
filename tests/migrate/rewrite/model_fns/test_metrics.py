"""Tests for metrics that become those of Keras."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

MEAN = "tf.metrics.mean(out)"


def _with_condition(test, *body):
    lines = "".join(f"        {line}\n" for line in body)
    text = f"    metrics = {base_program.METRICS}\n    if {test}:\n{lines}"
    return base_program.BASE.replace(f"    metrics = {base_program.METRICS}\n", text)


@pytest.mark.parametrize("test", ["out is None", "other.test(net)"])
def test_a_condition_on_more_than_settings_moves_into_a_function(test):
    text = _with_condition(test, f'metrics["m"] = {MEAN}')
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    function = outcome.text.partition("def metric_fn(")[2].partition("return metrics")[0]
    assert f"if {test}:" in function
    assert "porting.StreamingMetrics(metric_fn)" in outcome.text


def test_a_condition_on_settings_is_kept():
    text = _with_condition('params["more"]', f'metrics["m"] = {MEAN}')
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "if params['more']:" in outcome.text
    assert "if self.params['more']:" in outcome.text
