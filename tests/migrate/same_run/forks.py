"""Runs programs in forks of a process that has imported TensorFlow. The import takes most time.

    with forks.Forks(env) as processes:
        same_run.record(["python", "job.py"], "runs/after", run=processes.run)

Forking is safe after the import, because TensorFlow starts its threads with the first operation.
A program may find modules in `sys.modules` that it has not imported. Everything else is as in a new
process.
"""

import atexit
import gc
import importlib
import json
import os
import pathlib
import runpy
import signal
import subprocess
import sys

from migrate.same_run import recorder


class Forks:
    """A server process that forks once for each program.

    Args:
      env: Environment variables of the server and of its forks, added to those of this process.
    """

    def __init__(self, env):
        self._env = env

    def __enter__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.migrate.same_run.forks"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=pathlib.Path(__file__).parents[3],
            env={**os.environ, **self._env},
        )
        return self

    def __exit__(self, *unused):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def run(self, command, folder, cwd, env, timeout):
        """Runs a program, as `same_run.record` requires of its argument `run`."""
        asked = {"argv": command[1:], "folder": folder, "cwd": cwd, "env": env, "timeout": timeout}
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        process, code = json.loads(self._process.stdout.readline())
        output = pathlib.Path(folder, "output").read_text(errors="replace")
        # SIGALRM: the program reached its time limit.
        return None if code == -signal.SIGALRM else code, process, output


def main():
    """Forks once per line of standard input, and answers with process ID and exit code."""
    answers = os.fdopen(os.dup(1), "w")
    importlib.import_module("tensorflow")
    if os.environ.get("TF_USE_LEGACY_KERAS"):
        importlib.import_module("tf_keras")
    for line in sys.stdin:
        asked = json.loads(line)
        process = os.fork()
        if not process:
            _be(asked)  # Never returns.
        _, status = os.waitpid(process, 0)
        print(json.dumps([process, os.waitstatus_to_exitcode(status)]), file=answers, flush=True)


def _be(asked):
    """Turns this fork into the program, and exits."""
    signal.alarm(int(asked["timeout"]))
    output = os.open(os.path.join(asked["folder"], "output"), os.O_WRONLY | os.O_CREAT)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    sys.argv = asked["argv"]
    path = [one for one in asked["env"].get("PYTHONPATH", "").split(os.pathsep) if one]
    sys.path[:0] = path
    code = 1
    try:
        recorder.begin(asked["folder"])
        if sys.argv[0] == "-m":
            sys.argv = sys.argv[1:]
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, os.path.dirname(sys.argv[0]))
            runpy.run_path(sys.argv[0], run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        # os._exit skips Python's shutdown, so its parts are done here. Garbage collection records
        # the predictions that the program has not read to the end.
        gc.collect()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
