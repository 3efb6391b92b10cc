"""Tests that absl's app.run replaces TensorFlow's, also if the arguments have undefined flags."""

import os
import subprocess
import sys

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
