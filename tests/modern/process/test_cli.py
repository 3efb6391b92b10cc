"""Tests of the apps' exit codes and messages, each in a new process."""

import os
import signal
import subprocess
import sys

import pytest

from modern.process import cli
from tests.cluster.trainings import ENV
from tests.modern.cluster.processes import until

PROGRAM = """
import os, signal, sys
from absl import flags
from modern.process import cli
flags.DEFINE_integer("number", 1, "A number.")
class Mine(Exception): pass
def main(argv):
    {body}
cli.run(main, misuse=(Mine,))
"""


def run(body, *arguments, environment=None):
    """Runs a process whose main function has this body."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body), *arguments],
        env={k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"}
        | ENV
        | (environment or {}),
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("code", [0, 1, 143])
def test_the_exit_code_is_mains(code):
    done = run(f"return {code} * flags.FLAGS.number", "--number=1")
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


@pytest.mark.parametrize(
    ("body", "arguments", "words"),
    [
        ("return 0", ["--number=two"], ["--number=two"]),
        ("return 0", ["--numbr=2"], ["'numbr'", "number"]),
        ("return 0", ["stray"], ["unexpected argument 'stray'", "--name=value"]),
        ("raise cli.UsageError('no good')", [], ["no good"]),
        ("raise Mine('mend it')", [], ["mend it"]),
    ],
)
def test_misuse_is_one_line_and_code_2(body, arguments, words):
    done = run(body, *arguments)
    assert done.returncode == cli.MISUSE
    assert done.stderr.startswith("-c: ")
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def test_other_errors_keep_their_traceback():
    done = run("raise RuntimeError('a defect')")
    assert done.returncode == 1
    assert "RuntimeError: a defect" in done.stderr
    assert "Traceback" in done.stderr


def test_an_error_may_end_the_process_before_its_clean_up():
    clean_up = "import atexit; atexit.register(print, 'clean-up'); print('before'); "
    at_once = "cli.exit_at_once_on_error(); " * 2
    done = run(clean_up + at_once + "raise RuntimeError('a defect')")
    assert (done.returncode, done.stdout) == (1, "before\n")
    assert done.stderr.count("RuntimeError: a defect") == 1
    assert "Traceback" in done.stderr


def test_ctrl_c_is_no_traceback():
    done = run("os.kill(os.getpid(), signal.SIGINT); import time; time.sleep(20)")
    assert (done.returncode, done.stderr) == (130, "")


def test_ctrl_c_within_a_call_that_waits():
    body = "\n    ".join(
        [
            "with cli.ended_by_ctrl_c(): os.kill(os.getpid(), signal.SIGINT)",
            "return 0",
        ]
    )
    assert run(body).returncode == -signal.SIGINT
    before = signal.getsignal(signal.SIGINT)
    with cli.ended_by_ctrl_c():
        assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) == before


def test_tensorflow_starts_silently_and_says_its_warnings_once():
    body = "\n    ".join(
        [
            "cli.import_tensorflow_quietly()",
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
        "cli._import_tensorflow = lambda: None; cli.import_tensorflow_quietly(coordinates=True); "
        "print(os.environ['TF_CPP_MIN_LOG_LEVEL'])"
    )
    environment = {"TF_CONFIG": tf_config}
    assert run(body, environment=environment).stdout == f"{level}\n"


def test_a_failing_import_shows_what_was_said(tmp_path):
    (tmp_path / "tensorflow.py").write_text("import os; os.write(2, b'why'); raise OSError")
    done = subprocess.run(
        [sys.executable, "-c", "from absl import app\nimport modern.process.cli as c\n"
         "c.import_tensorflow_quietly()"],
        env=os.environ | ENV | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ENV['PYTHONPATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
    )  # fmt: skip
    assert done.returncode == 1
    assert "why" in done.stderr


@pytest.mark.cluster
def test_ctrl_c_while_waiting_for_the_other_tasks(tmp_path):
    """The first of two workers waits inside of TensorFlow for the second, which never starts."""
    from modern.cluster import addresses, plan

    first, _ = plan.assign({"worker": 2}, "chief", evaluator=False)
    waiting = subprocess.Popen(
        [sys.executable, "-m", "modern.train", "--job=linear_regression",
         "--strategy=multi_worker_mirrored", f"--model_dir={tmp_path}"],
        env=os.environ | ENV | {"TF_CONFIG": first.tf_config},
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        port = addresses.split(first.address)[1]
        until(lambda: addresses.bind_error(port), 60)
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(15) == -signal.SIGINT
    finally:
        waiting.kill()
        waiting.wait()
    assert not (tmp_path / "tasks").exists()


def test_mistakes_of_a_program_of_a_user_end_it_with_one_line(capsys):
    with pytest.raises(SystemExit) as raised, cli.refusing(cli.UsageError, KeyError):
        raise cli.UsageError("the folder is no folder.")
    assert raised.value.code == 2
    assert capsys.readouterr().err.endswith(": the folder is no folder.\n")
    with pytest.raises(OSError, match="another error"), cli.refusing(cli.UsageError):
        raise OSError("another error")
