"""The ps's part in a training: serves its variables until the training is over.

    parameter_server.serve(config, has_ended)  # returns when the chief has ended the training

`coordination` is the part of the trainers. They tell each other by `training_messages` when the
training is over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import tensorflow as tf

from legacy.estimator.cluster import servers, signals, stalls, waits
from legacy.estimator.cluster import training_messages as messages
from legacy.estimator.cluster.message_board import Board
from modern.cluster import health
from modern.process import malloc

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_POLL_SECS = 0.1
_RELEASE_SECS = 2.0
_LINGER_SECS = 60.0
# Time between two looks of a ps at the chief and the checkpoints.
_LOOK_SECS = 5.0
# If no step is left to train, a ps waits this long for a chief that may be restarting.
_CHIEF_GONE_SECS = 15.0


def serve(config: RunConfig, has_ended: Callable[[], bool] = lambda: False) -> None:
    """Serves as a ps until the next training is over, then releases its variables.

    After a signal it serves on while a trainer is up, at most `interruption.SERVE_S` seconds.

    Args:
      config: The ps's RunConfig.
      has_ended: A function that returns true if the checkpoints show that no step is left to train.
        A ps without a chief and without a training then returns.

    Raises:
      waits.GaveUpError: The chief did not answer for `session_creation_timeout_secs`.
      SystemExit: A signal has arrived.
    """
    malloc.share_arenas()  # Before TensorFlow starts the server's threads.
    server = servers.get(config)
    board = Board(
        server.target, config.num_ps_replicas, servers.device(config), own_ps=config.task_id
    )
    finished_ids = _wait_until_over(config, board, has_ended)
    # Keep the variables for a while for workers that have not finished. TensorFlow cannot close a
    # session whose ps has exited.
    deadline = time.monotonic() + _LINGER_SECS
    while time.monotonic() < deadline and any(
        not stalls.all_are_silent(messages.unfinished_workers(config, board.read(), identity))
        for identity in finished_ids
    ):
        time.sleep(_POLL_SECS)
    board.close()
    messages.ended_ids.update(finished_ids)
    _release(server.target, [*map(messages.container_name, finished_ids)])
    tf1.logging.info("The training is over; its variables are released.")


def _wait_until_over(config: RunConfig, board: Board, has_ended: Callable[[], bool]) -> list[str]:
    """Returns the ids of the trainings that are over, or none if `has_ended` returns true."""
    chief = servers.chief_address(config)
    purpose = f"for {servers.chief_job(config)}-0 at {chief}, which does not answer"
    wait = waits.Wait(config.session_creation_timeout_secs, ends_on_signal=False)
    next_look = 0.0
    while not (finished_ids := _newly_over(board.read())):
        if signals.is_interrupted():
            signals.wait_while_up([*servers.trainers(config).values()])
            signals.exit_if_interrupted()
        if time.monotonic() >= next_look:
            if health.answers(chief):
                wait.restart()
            elif wait.seconds > _CHIEF_GONE_SECS and not _is_open(board) and has_ended():
                tf1.logging.warning("Nothing is left to train, and no chief is at %s.", chief)
                return []
            next_look = time.monotonic() + _LOOK_SECS
        wait.pause(purpose)
    return finished_ids


def _newly_over(words: dict[str, str]) -> list[str]:
    """Returns the ids of trainings that are over but not yet ended by this process."""
    entries = messages.entries(words)
    return [
        e["id"]
        for e in entries
        if e["state"] == messages.OVER and e["id"] not in messages.ended_ids
    ]


def _is_open(board: Board) -> bool:
    """Returns whether a ps has a training that is not over."""
    return any(entry["state"] != messages.OVER for entry in messages.entries(board.read()))


def _release(target: str, containers: list[str]) -> None:
    """Releases the resources of containers on this server.

    `Session.reset` releases them on this server at once. It then sends the request to all other
    tasks of the cluster and blocks forever if one of them is dead. It therefore runs in a daemon
    thread, and this function waits only `_RELEASE_SECS`.
    """
    thread = threading.Thread(
        target=tf1.Session.reset, args=(target, containers), name="release", daemon=True
    )
    thread.start()
    thread.join(_RELEASE_SECS)
