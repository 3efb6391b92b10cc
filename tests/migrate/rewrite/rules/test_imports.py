"""Tests that a program of TensorFlow 1 keeps its behavior, however it imports TensorFlow."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

RULE = tools.rule("legacy", "imports")
SWITCH = "\ntf.disable_v2_behavior()\n"


@pytest.mark.parametrize(
    "statement", ["import tensorflow.compat.v1 as tf", "from tensorflow.compat import v1 as tf"]
)
@pytest.mark.parametrize(
    ("api", "names", "switches"),
    [
        ("v1", ["tf.contrib.layers"], True),
        ("v1", ["tf.contrib.layers", "tf.compat.v1.disable_v2_behavior"], False),
        ("v1", ["tf.contrib.layers", "tf.compat.v1.enable_eager_execution"], False),
        ("v2", [], False),
    ],
)
def test_an_import_of_compat_v1_gets_the_switch_of_its_program(statement, api, names, switches):
    text = f"{statement}\nx = tf.zeros([2, 3]).shape[1].value\n"
    once = fixed_point.rewrite(text, RULE, plan=tools.plan(api, names)).text
    assert (SWITCH in once) == switches
    assert fixed_point.rewrite(once, RULE, plan=tools.plan(api, names)).text == once
