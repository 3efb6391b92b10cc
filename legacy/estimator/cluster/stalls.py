"""Reports a trainer that makes no step, names the tasks that do not answer, and ends the trainer.

    with stalls.watched(config, limit_secs=600):
        estimator.train(input_fn, hooks=stalls.hooks())

The main thread of such a trainer waits inside TensorFlow, and no exception reaches it.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent import futures
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.cluster import servers
from modern.cluster import health
from modern.process import cli

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_REPORT_SECS = 30.0
_POLL_SECS = 0.5
_ANSWER_SECS = 2.0
_MOST_AT_ONCE = 32

_last_beat = time.monotonic()
_is_watched = False


def beat() -> None:
    """Records that this process makes progress."""
    global _last_beat
    _last_beat = time.monotonic()


class BeatHook(tf1.train.SessionRunHook):
    """Records each step of a training or an evaluation."""

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Records the step."""
        beat()


def hooks() -> list[tf1.train.SessionRunHook]:
    """Returns the hook that records the steps of a training, or none if stalls are not watched."""
    return [BeatHook()] if _is_watched else []


@contextlib.contextmanager
def watched(config: RunConfig, limit_secs: float | None = None) -> Iterator[None]:
    """Reports stalls of the block on standard error, and ends the process at the limit.

    Args:
      config: The RunConfig. Does nothing without a cluster, on a ps, or in a block that is watched
        already.
      limit_secs: Seconds without a step until the process ends with exit code 1. 0 disables the
        limit. None also disables it, and then only tasks that do not answer are reported, because
        the program may do other work than steps.
    """
    global _is_watched
    if _is_watched or not config.cluster_spec.jobs or config.task_type == "ps":
        yield
        return
    beat()
    end_event = threading.Event()
    thread = threading.Thread(
        target=_watch, args=(config, limit_secs, end_event), name="stalls", daemon=True
    )
    thread.start()
    _is_watched = True
    try:
        yield
    finally:
        _is_watched = False
        end_event.set()
        thread.join()


def _watch(config: RunConfig, limit_secs: float | None, end_event: threading.Event) -> None:
    name = f"{config.task_type}-{config.task_id}"
    last_report = 0.0
    while not end_event.wait(_POLL_SECS):
        seconds = time.monotonic() - _last_beat
        if seconds < last_report:
            last_report = 0.0
        if limit_secs and seconds >= limit_secs:
            state = _state(without_answer(servers.required_tasks(config)))
            _say(f"{name}: no step in {limit_secs:.0f} s, giving up. {state}")
            cli.exit_at_once(cli.FAILURE)
        if seconds - last_report >= _REPORT_SECS:
            last_report = seconds
            silent = without_answer(servers.required_tasks(config))
            if silent or limit_secs is not None:
                _say(f"{name}: no step in {seconds:.0f} s. {_state(silent)}")


def _state(silent: Mapping[str, str]) -> str:
    if silent:
        return f"No answer from {names(silent)}."
    return "All tasks that it needs answer."


def without_answer(tasks: Mapping[str, str]) -> dict[str, str]:
    """Returns the tasks whose servers do not answer.

    Args:
      tasks: The address of each task, by name. All are asked at the same time.
    """
    if not tasks:
        return {}
    with futures.ThreadPoolExecutor(min(len(tasks), _MOST_AT_ONCE)) as pool:
        answers = [*pool.map(lambda address: health.answers(address, _ANSWER_SECS), tasks.values())]
    return {name: tasks[name] for name, answer in zip(tasks, answers, strict=True) if not answer}


def all_are_silent(tasks: Mapping[str, str]) -> bool:
    """Returns whether no server answers.

    Args:
      tasks: The address of each task, by name.
    """
    return len(without_answer(tasks)) == len(tasks)


def names(tasks: Mapping[str, str]) -> str:
    """Returns the tasks' names and addresses, such as "ps-0 at 10.0.0.2:2222".

    Args:
      tasks: The address of each task, by name.
    """
    return ", ".join(f"{name} at {address}" for name, address in tasks.items())


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
