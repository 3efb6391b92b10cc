"""Functions for tests of processes: wait for a condition, check that a process is alive."""

import time

import psutil


def until(condition, seconds=15.0, every=0.02):
    """Polls `condition` and returns its first true value. Fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(every)
    raise AssertionError(f"not within {seconds} s: {condition}")


def alive(pid):
    """Returns true if a process runs. A zombie does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def number(path):
    """Returns the process id in a file, or None until it is written."""
    text = path.read_text() if path.exists() else ""
    return int(text) if text.endswith("\n") else None
