"""Tests of the reasons why an initializer of Keras may give other values."""

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULE = tools.rule("modern", "initializers")
START = "import tensorflow.compat.v1 as tf\n"


def _reason(text):
    outcome = fixed_point.rewrite(START + text, RULE, unsafe=True, plan=tools.plan())
    (reason,) = {change.reason for change in outcome.changes if change.reason}
    return reason


def test_all_reasons_are_shown():
    seeded = "x = tf.get_variable('x', [2, 2], None, tf.glorot_uniform_initializer(seed=1)"
    first = _reason(f"{seeded})\n")
    assert first.startswith("Keras draws other numbers for the same seed")
    both = _reason(f"{seeded}, partitioner=f)\n")
    assert both.startswith(f"{first}; for a partitioned variable, ")
