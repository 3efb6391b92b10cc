"""Runs an app in one process with several command lines in turn, each as if it ran alone.

    ended = in_turn.run("modern.train", [(["--job=linear_regression", "--batch_size=0"], {})])
    assert ended[0].code == 2

Importing TensorFlow takes longer than rejecting a flag, so the commands share one import. Standard
error goes to a file at the level of descriptors, which also captures messages of TensorFlow's C++
code. The output of the first command includes the messages of TensorFlow's start.
"""

import contextlib
import dataclasses
import json
import os
import runpy
import subprocess
import sys
import tempfile


@dataclasses.dataclass(frozen=True)
class Ended:
    """Outcome of one command.

    Attributes:
      code: The exit code.
      said: The text on standard error.
    """

    code: int
    said: str


def run(module, commands, timeout=120, **popen):
    """Runs `python -m MODULE` with each command.

    Args:
      module: Name of the app's module.
      commands: Pairs of arguments and additional environment variables.
      timeout: Limit for all commands together, in seconds.
      **popen: Arguments of subprocess.run.

    Returns:
      An Ended for each command.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.modern.in_turn", module],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        timeout=timeout,
        **popen,
    )
    assert done.returncode == 0, done.stderr
    return [Ended(*found) for found in json.loads(done.stdout)]


def _main(module):
    """Reads the commands from standard input and writes their outcomes."""
    before = dict(os.environ)
    found = []
    for arguments, variables in json.load(sys.stdin):
        os.environ.update(variables)
        with _errors_in_a_file() as errors:
            code = _exit_code(module, arguments)
            sys.stderr.flush()
            errors.seek(0)
            found.append((code, errors.read()))
        os.environ.clear()
        os.environ.update(before)
    print(json.dumps(found))


@contextlib.contextmanager
def _errors_in_a_file():
    with tempfile.TemporaryFile("w+") as file:
        # Redirects the descriptor, because C++ code does not write to sys.stderr.
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _exit_code(module, arguments):
    """Runs the app as `python -m` does and returns its exit code. Removes its flags afterwards."""
    known = set(_flags())
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code
    finally:
        for name in set(_flags()) - known:
            delattr(_flags(), name)
        _flags().unparse_flags()
    return 0


def _flags():
    from absl import app, flags, logging  # noqa: F401 - which define flags of their own

    return flags.FLAGS


if __name__ == "__main__":
    _main(sys.argv[1])
