"""Programs of the tests that run in a process of their own."""

import json
import subprocess
import sys


def printed_by(module, *arguments, environment=None, timeout=300):
    """Runs a module of the tests, and returns what it prints as JSON in its last line.

    Args:
      module: Name of the module.
      *arguments: Its arguments.
      environment: Environment of its process, by default that of this one.
      timeout: Seconds after which it is killed.
    """
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=timeout, env=environment
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])
