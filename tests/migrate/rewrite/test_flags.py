"""Tests for tf.flags, which parses arguments at the first access, unlike absl's flags."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

FLAGS = tools.rule("modern", "flags")
LEGACY_FLAGS = tools.rule("legacy", "flags")
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


@pytest.mark.parametrize(
    "program",
    [
        "import tensorflow as tf\ntf.app.flags.FLAGS._parse_flags()\n",
        "import tensorflow as tf\nFLAGS = tf.flags.FLAGS\ndef main(_):\n    FLAGS._parse_flags()\n",
        "import tensorflow as tf\ndef main(_):\n    F = tf.flags.FLAGS\n    F._parse_flags()\n",
        "import tensorflow as tf\nF = None\nif tf:\n    F = tf.flags.FLAGS\nF._parse_flags()\n",
        "from absl import flags\nflags.FLAGS._parse_flags()\n",
        "from absl.flags import FLAGS\nFLAGS._parse_flags()\n",
        "from options import FLAGS as options\noptions._parse_flags()\n",
        "from tensorflow.python.platform import flags\nflags.FLAGS._parse_flags()\n",
    ],
)
def test_flags_are_parsed_by_a_call(program):
    text = fixed_point.rewrite(program, LEGACY_FLAGS, plan=tools.plan()).text
    assert "_parse_flags" not in text
    assert "(sys.argv, known_only=True)\n" in text


@pytest.mark.parametrize(
    "program",
    [
        "class Job:\n    def run(self):\n        self._parse_flags()\n",
        "import tensorflow as tf\nFLAGS = tf.flags.FLAGS\nclass Job:\n"
        "    def run(self, FLAGS):\n        FLAGS._parse_flags()\n",
        "from options import Parser\nFLAGS = Parser()\nFLAGS._parse_flags()\n",
        "options.FLAGS()._parse_flags()\n",
        "FLAGS = FLAGS\nFLAGS._parse_flags()\n",
    ],
)
def test_other_methods_named_parse_flags_stay(program):
    assert not tools.check_noop(program, LEGACY_FLAGS).suggestions
