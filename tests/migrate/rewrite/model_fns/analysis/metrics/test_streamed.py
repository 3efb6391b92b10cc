"""Tests for metrics that a function of the Keras model makes."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program


def rewritten(metrics, *lines):
    """Returns the outcome for the base program with other metrics."""
    before = "".join(f"    {line}\n" for line in lines)
    text = base_program.BASE.replace(
        f"    metrics = {base_program.METRICS}\n", f"{before}    metrics = {metrics}\n"
    )
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))


def metric_function(outcome):
    """Returns the lines of the function that makes metrics, without their indent."""
    text = outcome.text.partition("        def metric_fn(")[2].partition("\n\n")[0]
    return [line.strip() for line in text.splitlines()]


def test_a_metric_of_another_function_is_made_with_tensors():
    outcome = rewritten('{"m": other.metric(labels, out, 3)}')
    assert metric_function(outcome) == [
        "labels, out):",
        'return {"m": other.metric(labels, out, 3)}',
    ]
    assert '["streaming_metrics"].update_state(labels, out)' in outcome.text


def test_metrics_of_keras_stay_beside_it():
    outcome = rewritten(
        '{"mae": tf.metrics.mean_absolute_error(labels, out), "m": other.metric(out)}'
    )
    assert '"mae": tf_keras.metrics.MeanAbsoluteError(name="mae")' in outcome.text
    assert metric_function(outcome) == ["out):", 'return {"m": other.metric(out)}']


def test_a_metric_takes_along_the_metric_whose_totals_it_reads():
    outcome = rewritten(
        '{"mean": (mean, update), "twice": (mean * 2, update)}',
        "mean, update = tf.metrics.mean(out)",
    )
    assert metric_function(outcome) == [
        "out):",
        "mean, update = tf.metrics.mean(out)",
        'return {"mean": (mean, update), "twice": (mean * 2, update)}',
    ]


def test_settings_and_functions_move_along():
    outcome = rewritten(
        '{"m": rate(out, limit)}',
        'limit = params["units"] + 1',
        "def rate(x, limit):",
        "    return tf.metrics.percentage_below(x, limit)",
    )
    assert metric_function(outcome)[:2] == ["out):", 'limit = self.params["units"] + 1']


def test_a_dictionary_of_another_function_is_used_whole():
    outcome = rewritten("other.metrics(labels, out)")
    assert metric_function(outcome)[-1] == "return metrics"


@pytest.mark.parametrize(
    ("metrics", "lines"),
    [
        ('{"m": (step, loss)}', ()),  # Nothing updates it.
        ('{**other.metrics, "m": tf.metrics.mean(out)}', ()),
        ('{"m": other.metric(out, mode)}', ()),
        ('{"m": (m, u)}', ("m, u = other.metric(out)", "out = out * 2")),
        ('{"m": other.metric()}', ()),
    ],
)
def test_metrics_that_need_more_than_their_final_tensors_are_refused(metrics, lines):
    outcome = rewritten(metrics, *lines)
    assert "StreamingMetrics" not in outcome.text
    assert len(outcome.suggestions) == 1
