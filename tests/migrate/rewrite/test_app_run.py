"""Tests that absl's app.run replaces TensorFlow's, also if the arguments have undefined flags."""

import os
import subprocess
import sys

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

PROGRAM = """\
import tensorflow.compat.v1 as tf
from absl import flags
flags.DEFINE_string("name", "", "A flag of its own.")
def main(argv):
    print(argv[1:], flags.FLAGS.name)
if __name__ == "__main__":
    tf.app.run(argv=None, main=main)
"""


def _printed(text, folder):
    path = folder / "program.py"
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, path, "--unknown=1", "--name=a", "word"],
        capture_output=True,
        text=True,
        env={**os.environ, **tools.ENVIRONMENT},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_program_that_looks_at_its_arguments_gets_the_same(tmp_path):
    rule = tools.rule("modern", "app_run")
    text = fixed_point.rewrite(PROGRAM, rule, plan=tools.plan()).text
    assert "tensorflow" not in text
    assert _printed(text, tmp_path) == _printed(PROGRAM, tmp_path) == "['--unknown=1', 'word'] a\n"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "tf.app.run(main=main  # comment\n)",
            "app.run(main=main, flags_parser=PARSER  # comment\n)",
        ),
        (
            "tf.app.run(\n    main,  # comment\n)",
            "app.run(\n    main, flags_parser=PARSER,  # comment\n)",
        ),
        ("tf.app.run(  # comment\n)", "# comment\napp.run(main, flags_parser=PARSER)"),
        ("tf.app.run(main,)", "app.run(main, flags_parser=PARSER,)"),
        ("tf.app.run (main)", "app.run (main, flags_parser=PARSER)"),
        ("(tf.app.run)(main)", "app.run(main, flags_parser=PARSER)"),
        ("tf.app.run()", "app.run(main, flags_parser=PARSER)"),
    ],
)
@pytest.mark.parametrize("reads_arguments", [True, False])
def test_a_call_keeps_its_layout_and_comments(call, expected, reads_arguments):
    start = "import tensorflow.compat.v1 as tf\n"
    if reads_arguments:
        main, imports = "def main(argv):\n    print(argv)\n", "from absl import flags\n"
        parser = "lambda argv: flags.FLAGS(argv, known_only=True)"
        expected = expected.replace("PARSER", parser)
    else:
        main, imports = "def main(_):\n    print(1)\n", ""
        expected = expected.replace(", flags_parser=PARSER", "")
    tools.check_transformed(
        f"{start}{main}{call}\n",
        f"from absl import app\n{imports}{main}{expected}\n",
        tools.rule("modern", "app_run"),
        unsafe=True,
    )
