"""One training of a parameter-server cluster: how its tasks begin and end it together.

The chief opens a training on the board of the ps under an id of its own, and that id names the
resource container of its variables, so that several trainings can follow each other on the same ps
without seeing each other's weights. Trainers write that they have joined and that they have finished.
The chief closes the training, waits for those that have joined, saves, and writes that it is over;
then the ps release the variables and return.

    training = Training.of_chief(config, model_dir)
    with graph.container(training.container): ...
    training.open()                  # variables are ready: workers start
    training.wait_for_workers()      # their last updates are in
    training.over()

A worker that joins while the chief is closing sees that, because it writes before it reads, and the
chief writes before it reads: one of the two always sees the other. So no update is lost.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator import servers
from legacy.estimator.board import Board

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

PREPARING, OPEN, CLOSING, OVER = "preparing", "open", "closing", "over"
_JOINED, _FINISHED = "joined", "finished"

_POLL_SECS = 0.1
_REMIND_SECS = 30.0
# A worker that lives but does not finish its step in this time is given up.
_WAIT_FOR_WORKERS_SECS = 300.0
# How long a training that is over may stand on the board before a newcomer believes that no other
# one follows in the same model_dir: parameter servers may outlive their chief and see it restarted.
_BELIEVE_OVER_SECS = 15.0

# The ids of trainings that this process has ended: it never joins them again.
_ended: set[str] = set()


class Training:
    """This task's part in one training.

    Args:
      config: The RunConfig of a trainer.
      model_dir: What the tasks of a training agree on; None where each has a temporary folder.
      board: The board.
      identity: The training's id.

    Attributes:
      container: The name of the resource container of the training's variables.
    """

    def __init__(self, config: RunConfig, model_dir: str | None, board: Board, identity: str):
        self._config = config
        self._token = _token(model_dir)
        self._board = board
        self._identity = identity
        self.container = f"training-{identity}"

    @classmethod
    def of_chief(cls, config: RunConfig, model_dir: str | None) -> Training:
        """Announces a training, or takes up the one that a chief before this one left unfinished.

        Args:
          config: The chief's RunConfig.
          model_dir: The model's folder; None where it is a temporary one.

        Returns:
          The training. It blocks until all ps are up.
        """
        board = _trainer_board(config)
        entry = _entry(board.read(), _token(model_dir))
        if entry and entry["state"] != OVER and entry["id"] not in _ended:
            training = cls(config, model_dir, board, entry["id"])
            tf1.logging.info("Taking up the training that is open on the parameter servers.")
            return training
        training = cls(config, model_dir, board, uuid.uuid4().hex[:16])
        training._announce(PREPARING)
        return training

    @classmethod
    def of_worker(cls, config: RunConfig, model_dir: str | None) -> Training | None:
        """Waits until the chief has announced the training.

        Args:
          config: The worker's RunConfig.
          model_dir: As on the chief.

        Returns:
          The training; None where it is over already.

        Raises:
          tf.errors.DeadlineExceededError: The chief did not come up in session_creation_timeout_secs.
        """
        board = _trainer_board(config)
        started = time.monotonic()
        for words in _watch(board, config, f"for the chief to begin the training of {model_dir}"):
            entry = _entry(words, _token(model_dir))
            if entry is None or entry["id"] in _ended:
                continue
            if entry["state"] != OVER:
                return cls(config, model_dir, board, entry["id"])
            if time.monotonic() - started > _BELIEVE_OVER_SECS:
                break
        board.close()
        return None

    def open(self) -> None:
        """Tells the workers that the variables are ready. Only for the chief."""
        self._announce(OPEN)

    def wait_until_open(self) -> None:
        """Waits until the variables are ready. Only for workers.

        Raises:
          tf.errors.DeadlineExceededError: It took longer than session_creation_timeout_secs.
        """
        for words in _watch(self._board, self._config, "for the chief to initialize the model"):
            entry = _entry(words, self._token)
            if entry and (entry["id"] != self._identity or entry["state"] != PREPARING):
                return

    def join(self) -> bool:
        """Writes that this worker will train.

        Returns:
          Whether it may: False where the chief is about to end the training.
        """
        self._board.put(self._trainer_key(), _JOINED)
        return self._state() in (PREPARING, OPEN)

    def finish(self) -> None:
        """Writes that this worker's updates are all done."""
        self._board.put(self._trainer_key(), _FINISHED)
        self._leave()

    def is_over(self) -> bool:
        """Says whether the chief has ended this training; also True where the ps are gone."""
        try:
            return self._state() not in (PREPARING, OPEN)
        except tf.errors.OpError:
            return True

    def wait_for_workers(self) -> None:
        """Waits until the workers that joined have finished. Only for the chief.

        A worker whose process is gone is not waited for, and none for longer than five minutes.
        """
        self._announce(CLOSING)
        deadline = time.monotonic() + _WAIT_FOR_WORKERS_SECS
        logged: set[int] = set()
        while time.monotonic() < deadline:
            waiting = self._unfinished()
            if not waiting:
                return
            if set(waiting) != logged:
                tf1.logging.info(
                    "Waiting for the last updates of %s (at most %d s).",
                    _workers(waiting),
                    deadline - time.monotonic(),
                )
                logged = set(waiting)
            time.sleep(_POLL_SECS)
        tf1.logging.warning(
            "%s did not finish in %d s; saving without waiting longer.",
            _workers(self._unfinished()),
            _WAIT_FOR_WORKERS_SECS,
        )

    def over(self) -> None:
        """Ends the training for everyone: the ps release its variables. Only for the chief."""
        self._announce(OVER)
        self._leave()

    def abandon(self) -> None:
        """Closes this task's connection without a word, as where the training failed."""
        self._board.close()

    def _leave(self) -> None:
        _ended.add(self._identity)
        self._board.close()

    def _announce(self, state: str) -> None:
        self._board.put(self._token, json.dumps({"id": self._identity, "state": state}))

    def _state(self) -> str:
        entry = _entry(self._board.read(), self._token)
        return entry["state"] if entry and entry["id"] == self._identity else OVER

    def _trainer_key(self) -> str:
        return f"trainer {self._identity} {self._config.task_id}"

    def _unfinished(self) -> list[int]:
        """Returns the indices of the workers that have joined, not finished, and are alive."""
        prefix = f"trainer {self._identity} "
        joined = sorted(
            int(key.removeprefix(prefix))
            for key, word in self._board.read().items()
            if key.startswith(prefix) and word == _JOINED
        )
        spec = self._config.cluster_spec
        return [i for i in joined if servers.is_up(spec.task_address("worker", i))]


def skip(config: RunConfig, model_dir: str | None) -> None:
    """Lets the ps go where the chief finds that nothing is left to train.

    Args:
      config: The chief's RunConfig.
      model_dir: As in `Training`.
    """
    Training.of_chief(config, model_dir).over()


def serve(config: RunConfig) -> None:
    """Serves as a ps until the next training is over, then releases its variables.

    Args:
      config: The ps's RunConfig.
    """
    server = servers.get(config)
    task = f"/job:{config.task_type}/task:{config.task_id}"
    board = Board(server.target, config.num_ps_replicas, task, own=config.task_id)
    while True:
        entries = [json.loads(w) for w in board.read().values() if w.startswith("{")]
        over = [e["id"] for e in entries if e["state"] == OVER and e["id"] not in _ended]
        if over:
            break
        time.sleep(_POLL_SECS)
    board.close()
    _ended.update(over)
    tf1.Session.reset(
        server.target,
        containers=[f"training-{identity}" for identity in over],
        config=tf1.ConfigProto(device_filters=[task]),
    )
    tf1.logging.info("The training is over; its variables are released.")


def device(config: RunConfig) -> str:
    """Returns the device name of this task, "/job:worker/task:1"."""
    return f"/job:{config.task_type}/task:{config.task_id}"


def _trainer_board(config: RunConfig) -> Board:
    for index in range(config.num_ps_replicas):
        _wait_for_task(config.cluster_spec.task_address("ps", index), f"parameter server {index}")
    return Board(config.master, config.num_ps_replicas, device(config))


def _wait_for_task(address: str, name: str) -> None:
    logged = time.monotonic()
    while not servers.is_up(address):
        if time.monotonic() - logged > _REMIND_SECS:
            tf1.logging.info("Waiting for %s at %s to come up.", name, address)
            logged = time.monotonic()
        time.sleep(_POLL_SECS)


def _watch(board: Board, config: RunConfig, what: str) -> Iterator[dict[str, str]]:
    """Yields what stands on the board, again and again, until the session timeout."""
    started = logged = time.monotonic()
    while time.monotonic() - started < config.session_creation_timeout_secs:
        yield board.read()
        if time.monotonic() - logged > _REMIND_SECS:
            tf1.logging.info("Waiting %s.", what)
            logged = time.monotonic()
        time.sleep(_POLL_SECS)
    raise tf.errors.DeadlineExceededError(
        None, None, f"Waited {config.session_creation_timeout_secs} s {what}, in vain."
    )


def _entry(words: dict[str, str], token: str) -> dict[str, Any] | None:
    return json.loads(words[token]) if token in words else None


def _token(model_dir: str | None) -> str:
    """Names a training as all its tasks can: by its folder, which may be too long for a name."""
    return "model " + hashlib.sha256((model_dir or "").encode()).hexdigest()[:16]


def _workers(indices: list[int]) -> str:
    return "worker " + ", ".join(str(index) for index in indices)
