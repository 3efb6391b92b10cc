"""Tests for input functions, called as an Estimator calls them."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head


@pytest.mark.parametrize(
    ("input_fn", "call"),
    [
        ("make(3)", "make(3)()"),
        ("lambda: make(3)()", "make(3)()"),
        ("functions", 'functions(mode="train", params=settings)'),
        ("lambda: (tf.data.Dataset\n .range(3))", "(tf.data.Dataset\n .range(3))"),
    ],
)
def test_input_functions_are_called_as_an_estimator_calls_them(input_fn, call):
    text = head.HEAD + (
        "def make(count):\n    def made():\n        return tf.data.Dataset.range(count)\n"
        "    return made\n"
        "def functions(params, mode):\n    return tf.data.Dataset.range(params)\n"
        "settings = 3\n"
        "job = tf_estimator.Estimator(f, params=settings)\n"
    )
    outcome = fixed_point.rewrite(
        f"{text}job.train({input_fn})\n", head.ESTIMATORS, plan=tools.plan(api="v2")
    )
    assert f"\njob.fit({call}, callbacks=as_estimator.callbacks(job), verbose=2)\n" in outcome.text
    assert outcome.suggestions == ()
