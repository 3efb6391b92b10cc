"""Runs an app in one process, with one command line after another, as each would run it alone.

    ended = in_turn.run("modern.train", [(["--job=linear_regression", "--batch_size=0"], {})])
    assert ended[0].code == 2

Importing TensorFlow takes longer than refusing a flag. What the app says goes to descriptors of its
own, so what TensorFlow says in C++ is seen too; the first command line has its start besides.
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
    """How one command ended.

    Attributes:
      code: the exit code.
      said: what it wrote to standard error.
    """

    code: int
    said: str


def run(module, commands, timeout=120, **popen):
    """Runs `python -m MODULE` with each command.

    Args:
      module: the app.
      commands: the arguments of each, and the environment variables that it has besides.
      timeout: of all together, in seconds.
      **popen: as subprocess.run has them.

    Returns:
      An Ended for each.
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
    """Reads the commands from standard input, writes how they ended."""
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
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _exit_code(module, arguments):
    """Runs the app as `python -m` does; its flags are defined for that long."""
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
