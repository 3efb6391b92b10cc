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


def run(body, *arguments):
    """Runs a process whose main function has this body."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body), *arguments],
        env=os.environ | ENV,
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
