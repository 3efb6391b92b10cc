"""Tests for tf.flags, which parses arguments at the first access, unlike absl's flags."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

FLAGS = tools.rule("modern", "flags")
MODULES = (
    "import tensorflow.compat.v1 as tf\n"
    "tf.flags.DEFINE_string('name', 'a', 'A flag.')\n"
    "def name():\n    return tf.flags.FLAGS.name\n",
    "from tensorflow.compat.v1 import flags\nflags.DEFINE_string('name', 'a', 'A flag.')\n",
)


@pytest.mark.parametrize("text", MODULES)
def test_flags_stay_where_nothing_parses_them(text):
    outcome = tools.check_noop(text, FLAGS, unsafe=True)
    assert "only in app.run" in outcome.suggestions[0].reason


@pytest.mark.parametrize("text", MODULES)
def test_another_file_of_the_program_may_parse_them(text):
    rewritten = fixed_point.rewrite(text, FLAGS, plan=tools.plan(runs_app=True)).text
    assert "from absl import flags" in rewritten
    assert "tf.flags" not in rewritten
