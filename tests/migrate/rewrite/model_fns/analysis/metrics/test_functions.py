"""Tests for functions that return the metrics of a TPUEstimatorSpec."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

FUNCTION = """\
def metric_fn(truth, guess):
    off = guess - truth
    return {"mae": tf.metrics.mean(tf.abs(off))}

"""


def program(function=FUNCTION, pair="metric_fn, [labels, out]"):
    text = base_program.BASE.replace(base_program.METRICS, f"({pair})")
    text = text.replace(
        "e.EstimatorSpec(mode, None, loss, train_op, metrics)",
        "tf.contrib.tpu.TPUEstimatorSpec(mode, None, loss, train_op, metrics)",
    )
    return text.replace("def model_fn", f"{function}def model_fn")


def rewritten(text):
    return fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))


@pytest.mark.parametrize(
    "pair", ["metric_fn, [labels, out]", 'metric_fn, {"guess": out, "truth": labels}']
)
def test_the_statements_of_the_function_get_its_arguments(pair):
    text = rewritten(program(pair=pair)).text
    assert "        off = out - labels\n" in text
    assert '["mae"].update_state(tf.abs(off))' in text


def test_an_argument_may_be_an_expression():
    text = rewritten(program(pair="metric_fn, [labels, out * 2]")).text
    assert "off = (out * 2) - labels\n" in text


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (FUNCTION.replace("off", "truth"), "metric_fn"),
        (FUNCTION.replace("- truth", "- net"), "metric_fn"),
        (FUNCTION.replace("off", "labels"), "metric_fn"),
        (FUNCTION, "other.metric_fn"),
        (
            FUNCTION.replace("    return", "    if off is None:\n        off = 1\n    return"),
            "metric_fn",
        ),
    ],
)
def test_a_function_that_cannot_be_followed_makes_its_metrics_itself(function, name):
    text = rewritten(program(function, f"{name}, [labels, out]")).text
    assert f"            return {name}(labels, out)" in text
    assert '["streaming_metrics"].update_state(labels, out)' in text


@pytest.mark.parametrize(
    ("function", "pair", "reason"),
    [
        (FUNCTION, "metric_fn, {GUESS: out, TRUTH: labels}", "the names of the arguments"),
        (FUNCTION, 'metric_fn, {"guess": out, **others}', "the names of the arguments"),
        (FUNCTION, "metric_fn, [labels, *others]", "the names of the arguments"),
        (FUNCTION, "metric_fn, pair", "not a function of this file"),
    ],
)
def test_a_function_with_unknown_arguments_is_refused(function, pair, reason):
    outcome = rewritten(program(function, pair))
    (made,) = outcome.suggestions
    assert not made.applicable
    assert reason in made.reason
