"""One training of a parameter-server cluster: how its tasks begin and end it together.

The chief opens a training on the board of the ps under an id of its own, and that id names the
resource container of its variables, so that several trainings can follow each other on the same ps
without seeing each other's weights. Trainers write that they have joined and have finished. The
chief closes the training, waits for those that have joined, saves, and writes that it is over; then
the ps release the variables and return.

    training = Training.of_chief(config, model_dir)
    with training.taken_part(), graph.container(training.container):
        training.open()                  # variables are ready: workers start
        training.wait_for_workers(read_global_step)  # their last updates are in

A worker that joins while the chief is closing sees that, because it writes before it reads, and the
chief writes before it reads: one of the two always sees the other. So no update is lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.cluster import servers
from legacy.estimator.cluster.message_board import Board
from legacy.estimator.cluster.roles import CHIEF_TYPES
from legacy.estimator.loops import distribute

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

PREPARING, OPEN, CLOSING, OVER = "preparing", "open", "closing", "over"
_JOINED, _FINISHED = "joined", "finished"

_POLL_SECS = 0.1
_RELEASE_SECS = 2.0
_LINGER_SECS = 60.0
_REMIND_SECS = 30.0
# Workers that live but make no step in this time are given up.
_WAIT_FOR_WORKERS_SECS = 300.0
# After so long without a ps and without a chief a worker does not expect them back.
_CLUSTER_GONE_SECS = 60.0
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
      last_step: The global step where the training stops; None where that is not known.
    """

    def __init__(
        self, config: RunConfig, model_dir: str | None, board: Board, identity: str
    ) -> None:
        self._config = config
        self._token = _token(model_dir)
        self._board = board
        self._identity = identity
        self.container = f"training-{identity}"
        self.last_step: int | None = None

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
          tf.errors.DeadlineExceededError: It took longer than session_creation_timeout_secs.
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

    @contextlib.contextmanager
    def taken_part(self) -> Iterator[None]:
        """Surrounds the training, and says on the board how it ended.

        A worker that the chief no longer waits for finds its variables gone; that is no error. Any
        other error leaves the training open, so that a restarted task can take part again.
        """
        try:
            yield
        except tf.errors.OpError as error:
            # Which error it is depends on which operation was the first to find its variable gone.
            if self._config.is_chief or not self._is_over():
                self._board.close()
                raise
            tf1.logging.warning(
                "The training ended without this worker's last step (%s).", type(error).__name__
            )
        except Exception:
            if not self._config.is_chief:
                self._write_finished()  # The chief need not wait; a later attempt joins again.
            self._board.close()
            raise
        if self._config.is_chief:
            self._announce(OVER)
        else:
            self._write_finished()
        self._leave()

    def _leave(self) -> None:
        """Ends this task's part; it never joins this training again."""
        _ended.add(self._identity)
        self._board.close()

    def wait_for_workers(self, global_step: Callable[[], int]) -> None:
        """Waits until the workers that joined have finished. Only for the chief.

        A worker whose process is gone is not waited for, and the others as long as there are steps:
        when there has been none for five minutes, they are given up.

        Args:
          global_step: Reads the global step.
        """
        self._announce(CLOSING)
        step, since = global_step(), time.monotonic()
        named: list[int] = []
        while waiting := self._unfinished():
            if (now_at := global_step()) != step:
                step, since = now_at, time.monotonic()
            elif time.monotonic() - since > _WAIT_FOR_WORKERS_SECS:
                tf1.logging.warning(
                    "No step of %s in %d s; saving without waiting longer.",
                    _workers(waiting),
                    _WAIT_FOR_WORKERS_SECS,
                )
                return
            if waiting != named:
                tf1.logging.info(
                    "Waiting for the last updates of %s (at most %d s without a step).",
                    _workers(waiting),
                    _WAIT_FOR_WORKERS_SECS,
                )
                named = waiting
            time.sleep(_POLL_SECS)

    def _is_over(self) -> bool:
        try:
            return self._state() not in (PREPARING, OPEN)
        except tf.errors.OpError:
            return True  # The ps have gone.

    def _write_finished(self) -> None:
        with contextlib.suppress(tf.errors.OpError):  # The ps may have gone.
            self._board.put(self._trainer_key(), _FINISHED)

    def _announce(self, state: str) -> None:
        self._board.put(self._token, json.dumps({"id": self._identity, "state": state}))

    def _state(self) -> str:
        entry = _entry(self._board.read(), self._token)
        return entry["state"] if entry and entry["id"] == self._identity else OVER

    def _trainer_key(self) -> str:
        return _trainer_prefix(self._identity) + str(self._config.task_id)

    def _unfinished(self) -> list[int]:
        return _unfinished(self._config, self._board.read(), self._identity)


def train(
    config: RunConfig,
    model_dir: str | None,
    last_step: int | None,
    run: Callable[[Training | None], Any],
) -> Any:
    """Trains as this task's part in its cluster, or alone.

    Args:
      config: The RunConfig of a trainer.
      model_dir: As in `Training`.
      last_step: The global step where the training stops, or None.
      run: Trains, from this task's part in a parameter-server training; None where it is no such.

    Returns:
      What `run` returns; None where the chief has ended the training already.

    Raises:
      RuntimeError: A strategy trains, and TF_CONFIG does not say which task this is.
    """
    if distribute.is_independent_worker(config):
        servers.check(config)
    if not _has_ps(config):
        if distribute.is_multi_worker(config):
            servers.serve(config)
        return run(None)
    servers.serve(config)
    part = Training.of_chief if config.is_chief else Training.of_worker
    training = part(config, model_dir)
    if training is None:
        tf1.logging.info("The chief has ended this training already.")
        return None
    training.last_step = last_step
    with training.taken_part():
        return run(training)


def _has_ps(config: RunConfig) -> bool:
    """Says whether there are ps: subclasses of RunConfig name some without having a cluster."""
    return bool(config.num_ps_replicas and config.cluster_spec)


def container(graph: tf.Graph, training: Training | None) -> contextlib.AbstractContextManager[Any]:
    """Returns a context that keeps a graph's variables apart from other trainings' on the same ps.

    Args:
      graph: The graph.
      training: This task's part in a parameter-server training; None makes an empty context.
    """
    return graph.container(training.container) if training else contextlib.nullcontext()


def skip(config: RunConfig, model_dir: str | None) -> None:
    """Lets the ps go where the chief finds that nothing is left to train.

    Args:
      config: A trainer's RunConfig; nothing happens if it is not a chief's with ps.
      model_dir: As in `Training`.
    """
    if not _has_ps(config) or not config.is_chief:
        return
    servers.serve(config)
    with Training.of_chief(config, model_dir).taken_part():
        pass


def serve(config: RunConfig) -> None:
    """Serves as a ps until the next training is over, then releases its variables.

    Args:
      config: The ps's RunConfig.
    """
    server = servers.get(config)
    board = Board(server.target, config.num_ps_replicas, device(config), own=config.task_id)
    while not (over := _newly_over(board.read())):
        time.sleep(_POLL_SECS)
    # Workers that the chief has given up find their variables for a while: TensorFlow cannot close
    # a session whose ps is gone.
    deadline = time.monotonic() + _LINGER_SECS
    while time.monotonic() < deadline and any(
        _unfinished(config, board.read(), identity) for identity in over
    ):
        time.sleep(_POLL_SECS)
    board.close()
    _ended.update(over)
    _release(server.target, [f"training-{identity}" for identity in over])
    tf1.logging.info("The training is over; its variables are released.")


def _newly_over(words: dict[str, str]) -> list[str]:
    """Returns the ids of trainings that are over and that this process has not ended yet."""
    entries = [json.loads(word) for word in words.values() if word.startswith("{")]
    return [e["id"] for e in entries if e["state"] == OVER and e["id"] not in _ended]


def _unfinished(config: RunConfig, words: dict[str, str], identity: str) -> list[int]:
    """Returns the indices of the workers that have joined, not finished, and are alive."""
    prefix = _trainer_prefix(identity)
    joined = sorted(
        int(key.removeprefix(prefix))
        for key, word in words.items()
        if key.startswith(prefix) and word == _JOINED
    )
    spec = config.cluster_spec
    return [index for index in joined if servers.is_up(spec.task_address("worker", index))]


def _trainer_prefix(identity: str) -> str:
    return f"trainer {identity} "


def _release(target: str, containers: list[str]) -> None:
    """Releases the resources of containers on this server.

    TensorFlow releases them here at once, and then asks all tasks of the cluster to do the same,
    for ever where one of them is dead. That is what the thread is for.
    """
    thread = threading.Thread(
        target=tf1.Session.reset, args=(target, containers), name="release", daemon=True
    )
    thread.start()
    thread.join(_RELEASE_SECS)


def device(config: RunConfig) -> str:
    """Returns the device name of this task, "/job:worker/task:1"."""
    return f"/job:{config.task_type}/task:{config.task_id}"


def _trainer_board(config: RunConfig) -> Board:
    spec = config.cluster_spec
    # Under a strategy a cluster may have no chief: worker 0 is it.
    chief = next((job for job in CHIEF_TYPES if job in spec.jobs), "worker")
    ps = [spec.task_address("ps", index) for index in spec.task_indices("ps")]
    seen = servers.is_up(spec.task_address(chief, 0))

    def wait_for_ps() -> None:
        nonlocal seen
        started = logged = time.monotonic()
        while missing := [address for address in ps if not servers.is_up(address)]:
            now = time.monotonic()
            if config.is_chief or servers.is_up(spec.task_address(chief, 0)):
                seen, started = True, now
            elif seen and now - started > _CLUSTER_GONE_SECS:
                raise tf.errors.DeadlineExceededError(
                    None, None, f"The chief and parameter servers ({', '.join(missing)}) are gone."
                )
            if now - logged > _REMIND_SECS:
                tf1.logging.info("Waiting for parameter servers: %s.", ", ".join(missing))
                logged = now
            time.sleep(_POLL_SECS)
        seen = True

    return Board(config.master, len(ps), device(config), before_connecting=wait_for_ps)


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
