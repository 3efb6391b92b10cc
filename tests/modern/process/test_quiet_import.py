"""Tests of the quiet import of TensorFlow, each in a new process."""

import os
import subprocess
import sys

import pytest

from tests.cluster.trainings import ENV

PROGRAM = """
import os
from modern.process import cli, quiet_import
def main(argv):
    {body}
cli.run(main)
"""


def run(body, environment=None):
    """Runs a process whose main function has this body."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body)],
        env={k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"}
        | ENV
        | (environment or {}),
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_tensorflow_starts_silently_and_says_its_warnings_once():
    body = "\n    ".join(
        [
            "quiet_import.import_tensorflow()",
            "import tensorflow as tf",
            "tf.constant(1.0)",
            "tf.get_logger().info('chatter')",
            "tf.get_logger().warning('heed this')",
            "tf.get_logger().warning('5 calls triggered tf.function retracing')",
            "return 0",
        ]
    )
    done = run(body)
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr.count("heed this") == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize(
    ("tf_config", "level"),
    [
        ('{"cluster": {"chief": ["a:1"], "ps": ["b:1"]}, "task": {"type": "chief"}}', "3"),
        ('{"cluster": {"chief": ["a:1"], "ps": ["b:1"]}, "task": {"type": "ps"}}', "2"),
        ('{"cluster": {"chief": ["a:1"]}, "task": {"type": "chief"}}', "2"),
        ("[" * 100_000, "2"),
        ("wrong", "2"),
    ],
)
def test_a_coordinator_hides_what_cpp_says_of_lost_workers(tf_config, level):
    """C++ reads the level once, when TensorFlow is loaded."""
    body = (
        "quiet_import._load = lambda: None; quiet_import.import_tensorflow(coordinates=True); "
        "print(os.environ['TF_CPP_MIN_LOG_LEVEL'])"
    )
    environment = {"TF_CONFIG": tf_config}
    assert run(body, environment=environment).stdout == f"{level}\n"


def test_a_failing_import_shows_what_was_said(tmp_path):
    (tmp_path / "tensorflow.py").write_text("import os; os.write(2, b'why'); raise OSError")
    done = subprocess.run(
        [sys.executable, "-c", "from absl import app\nimport modern.process.quiet_import as q\n"
         "q.import_tensorflow()"],
        env=os.environ | ENV | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ENV['PYTHONPATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
    )  # fmt: skip
    assert done.returncode == 1
    assert "why" in done.stderr
