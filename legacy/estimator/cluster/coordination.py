"""The trainers' part in a training on a parameter-server cluster, from its start to its end.

The chief opens a training on the message board of the ps, under a new id. The id also names the
resource container of the variables. Successive trainings on the same ps therefore do not see each
other's weights. Workers write to the board that they have joined, and later that they have
finished. At the end, the chief closes the training, waits for the workers that have joined, saves
the final checkpoint, and writes that the training is over. The ps then release the variables and
return (`parameter_server`). A chief that a signal ends saves at once and leaves the training open.

A task that waits for another one names it after 30 seconds, and gives up after
`session_creation_timeout_secs` of the RunConfig.

    training = Training.of_chief(config, model_dir)
    with training.participation(), graph.container(training.container):
        training.open()                  # variables are ready: workers start
        training.wait_for_workers(read_global_step)  # their last updates are in

No update is lost when a worker joins while the chief closes the training. Both write to the board
before they read it, so at least one of them sees the other's message.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.cluster import servers, signals, stalls, waits
from legacy.estimator.cluster import training_messages as messages
from legacy.estimator.cluster.message_board import Board
from legacy.estimator.loops import distribute
from modern.cluster import health

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_POLL_SECS = 0.1
# The chief stops waiting for workers that answer if no step is made in this time.
_WAIT_FOR_WORKERS_SECS = 300.0
# After a signal the chief waits this long for workers that get the signal, too, so that it saves
# their last updates. A launcher may signal them two seconds later. Others train on, and a restarted
# chief takes up the training.
_SIGNALLED_SECS = 5.0
# A chief that has nothing to train waits this long for the ps that it releases.
_SKIP_SECS = 10.0
# A worker fails if both a ps and the chief are missing for this long.
_CLUSTER_GONE_SECS = 60.0
# If the training on the board is over, a new worker waits this long before it concludes that no
# other training in the same model_dir follows. The chief may be restarting, because the ps outlive
# it.
_BELIEVE_OVER_SECS = 15.0


class Training:
    """This task's part in one training.

    Args:
      config: The RunConfig of a trainer.
      model_dir: The model's folder, by which all tasks identify the training. None if each task
        has a temporary folder.
      board: The message board.
      identity: The training's id.

    Attributes:
      container: The name of the resource container of the training's variables.
      last_step: The global step at which the training stops, or None if it is not known.
    """

    def __init__(
        self, config: RunConfig, model_dir: str | None, board: Board, identity: str
    ) -> None:
        self._config = config
        self._key = messages.training_key(model_dir)
        self._board = board
        self._identity = identity
        self.container = messages.container_name(identity)
        self.last_step: int | None = None

    @classmethod
    def of_chief(cls, config: RunConfig, model_dir: str | None) -> Training:
        """Announces a training, or resumes one that an earlier chief left unfinished.

        Blocks until all ps are up.

        Args:
          config: The chief's RunConfig.
          model_dir: The model's folder, or None if it is a temporary folder.

        Returns:
          The training.
        """
        board = _trainer_board(config)
        entry = messages.entry(board.read(), messages.training_key(model_dir))
        if entry and entry["state"] != messages.OVER and entry["id"] not in messages.ended_ids:
            training = cls(config, model_dir, board, entry["id"])
            tf1.logging.info("Taking up the training that is open on the parameter servers.")
            return training
        training = cls(config, model_dir, board, uuid.uuid4().hex[:16])
        training._announce(messages.PREPARING)
        return training

    @classmethod
    def of_worker(cls, config: RunConfig, model_dir: str | None) -> Training | None:
        """Waits until the chief has announced the training.

        Args:
          config: The worker's RunConfig.
          model_dir: As on the chief.

        Returns:
          The training, or None if it is already over.

        Raises:
          waits.GaveUpError: The wait took longer than `session_creation_timeout_secs`.
        """
        board = _trainer_board(config)
        started = time.monotonic()
        for words in _watch(board, config, f"to begin the training of {model_dir}"):
            entry = messages.entry(words, messages.training_key(model_dir))
            if entry is None or entry["id"] in messages.ended_ids:
                continue
            if entry["state"] != messages.OVER:
                training = cls(config, model_dir, board, entry["id"])
                # From here on, the ps wait for this worker. It builds its graph before it joins.
                training._write_joined()
                return training
            if time.monotonic() - started > _BELIEVE_OVER_SECS:
                break
        board.close()
        return None

    def open(self) -> None:
        """Tells the workers that the variables are ready. Called only by the chief."""
        self._announce(messages.OPEN)

    def wait_until_open(self) -> None:
        """Waits until the variables are ready. Called only by workers.

        Raises:
          waits.GaveUpError: The wait took longer than `session_creation_timeout_secs`.
        """
        for words in _watch(self._board, self._config, "to initialize the model"):
            entry = messages.entry(words, self._key)
            if entry and (entry["id"] != self._identity or entry["state"] != messages.PREPARING):
                return

    def join(self) -> bool:
        """Writes that this worker will train.

        Returns:
          True if the worker may train, and False if the chief is ending the training.
        """
        # Write before reading. See the module's docstring.
        self._write_joined()
        return self._state() in (messages.PREPARING, messages.OPEN)

    @contextlib.contextmanager
    def participation(self) -> Iterator[None]:
        """Runs the training as a context manager and writes its end to the board.

        If the chief no longer waits for a worker, the worker's variables disappear. This is not an
        error. Any other error leaves the training open, so that a restarted task can rejoin it.
        """
        try:
            yield
        except tf.errors.OpError as error:
            # The type of the error depends on the operation that first misses its variable.
            if self._config.is_chief or not self._is_over():
                self._board.close()
                raise
            tf1.logging.warning(
                "The training ended without this worker's last step (%s).", type(error).__name__
            )
        except Exception:
            if not self._config.is_chief:
                self._write_finished()  # The chief need not wait. A later attempt joins again.
            self._board.close()
            raise
        if self._config.is_chief and signals.is_interrupted():
            self._board.close()  # A restarted chief takes up the training.
            return
        if self._config.is_chief:
            self._announce(messages.OVER)
        else:
            self._write_finished()
        self._leave()

    def _leave(self) -> None:
        """Ends this task's part. The task never joins this training again."""
        messages.ended_ids.add(self._identity)
        self._board.close()

    def wait_for_workers(self, global_step: Callable[[], int]) -> None:
        """Waits until the workers that joined have finished. Called only by the chief.

        A worker whose process has ended is ignored. If the global step does not change for 30
        seconds, a worker that does not answer is ignored, too. After five minutes without a step
        the wait ends. After a signal it is short, see `_SIGNALLED_SECS`.

        Args:
          global_step: A function that reads the global step.
        """
        if signals.is_interrupted():
            self._wait_for_signalled_workers()
            return
        # Write before reading. See the module's docstring.
        self._announce(messages.CLOSING)
        limit_secs = min(_WAIT_FOR_WORKERS_SECS, self._config.session_creation_timeout_secs)
        wait = waits.Wait(float("inf"), ends_on_signal=False)
        step = global_step()
        while (waiting := self._unfinished_workers()) and not signals.is_interrupted():
            names = stalls.names(waiting)
            if (now_at := global_step()) != step:
                step = now_at
                wait.restart()
            elif wait.seconds > limit_secs:
                tf1.logging.warning(
                    "No step of %s in %d s; saving without waiting longer.", names, limit_secs
                )
                return
            elif wait.seconds > waits.REMIND_SECS and stalls.all_are_silent(waiting):
                tf1.logging.warning(
                    "No answer from %s in %d s; saving without waiting longer.", names, wait.seconds
                )
                return
            wait.pause(f"for the last updates of {names} (at most {limit_secs:.0f} s)")

    def _wait_for_signalled_workers(self) -> None:
        wait = waits.Wait(float("inf"), ends_on_signal=False)
        while (waiting := self._unfinished_workers()) and wait.seconds < _SIGNALLED_SECS:
            wait.pause(f"for the last updates of {stalls.names(waiting)}")

    def _is_over(self) -> bool:
        try:
            return self._state() not in (messages.PREPARING, messages.OPEN)
        except tf.errors.OpError:
            return True  # The ps have exited.

    def _write_joined(self) -> None:
        self._board.put(messages.worker_key(self._identity, self._config.task_id), messages.JOINED)

    def _write_finished(self) -> None:
        with contextlib.suppress(tf.errors.OpError):  # The ps may have exited.
            self._board.put(
                messages.worker_key(self._identity, self._config.task_id), messages.FINISHED
            )

    def _announce(self, state: str) -> None:
        self._board.put(self._key, messages.entry_text(self._identity, state))

    def _state(self) -> str:
        entry = messages.entry(self._board.read(), self._key)
        return entry["state"] if entry and entry["id"] == self._identity else messages.OVER

    def _unfinished_workers(self) -> dict[str, str]:
        return messages.unfinished_workers(self._config, self._board.read(), self._identity)


def train(
    config: RunConfig,
    model_dir: str | None,
    last_step: int | None,
    run: Callable[[Training | None], Any],
) -> Any:
    """Trains as a task of a cluster, or in a local run.

    Args:
      config: The RunConfig of a trainer.
      model_dir: As in `Training`.
      last_step: The global step at which the training stops, or None.
      run: A function that trains. Its argument is the `Training` of a parameter-server cluster, or
        None in all other cases.

    Returns:
      The return value of `run`, or None if the chief has already ended the training.

    Raises:
      RuntimeError: A strategy trains, and TF_CONFIG does not name this process's task.
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
    with training.participation():
        return run(training)


def _has_ps(config: RunConfig) -> bool:
    """Returns whether the cluster has ps. Subclasses of RunConfig may count ps with no cluster."""
    return bool(config.num_ps_replicas and config.cluster_spec)


def container(graph: tf.Graph, training: Training | None) -> contextlib.AbstractContextManager[Any]:
    """Returns a context that separates a graph's variables from other trainings on the same ps.

    Args:
      graph: The graph.
      training: This task's part in a parameter-server training. None returns an empty context.
    """
    return graph.container(training.container) if training else contextlib.nullcontext()


def skip(config: RunConfig, model_dir: str | None) -> None:
    """Announces an empty training and ends it, so that the ps return.

    The chief calls this if no step is left to train. It needs no ps for this: a restarted chief may
    find that they have left.

    Args:
      config: A trainer's RunConfig. Does nothing if the task is not a chief or the cluster has no
        ps.
      model_dir: As in `Training`.
    """
    if not _has_ps(config) or not config.is_chief:
        return
    servers.serve(config)
    ps = servers.addresses_of(config, "ps").values()
    deadline = time.monotonic() + _SKIP_SECS
    while not all(health.accepts(address) for address in ps):
        signals.exit_if_interrupted()
        if time.monotonic() > deadline:
            return
        time.sleep(_POLL_SECS)
    with Training.of_chief(config, model_dir).participation():
        pass


def _trainer_board(config: RunConfig) -> Board:
    ps = servers.addresses_of(config, "ps")
    chief = servers.chief_address(config)
    # A worker gives up early only on a cluster that it has seen. Before, it waits for the start.
    was_seen = health.accepts(chief)

    def wait_for_ps() -> None:
        nonlocal was_seen
        wait, last_seen = waits.Wait(config.session_creation_timeout_secs), time.monotonic()
        while missing := {n: address for n, address in ps.items() if not health.accepts(address)}:
            if config.is_chief or health.accepts(chief):
                was_seen, last_seen = True, time.monotonic()
            elif was_seen and time.monotonic() - last_seen > _CLUSTER_GONE_SECS:
                raise waits.GaveUpError(
                    f"The chief at {chief} and the ps {stalls.names(missing)} are gone. Giving up."
                )
            wait.pause(f"for parameter servers, {stalls.names(missing)}")
        was_seen = True

    return Board(config.master, len(ps), servers.device(config), before_connecting=wait_for_ps)


def _watch(board: Board, config: RunConfig, purpose: str) -> Iterator[dict[str, str]]:
    """Yields the board's messages repeatedly.

    Raises `waits.GaveUpError` when `session_creation_timeout_secs` have passed.
    """
    wait = waits.Wait(config.session_creation_timeout_secs)
    chief = f"{servers.chief_job(config)}-0 at {servers.chief_address(config)}"
    while True:
        yield board.read()
        wait.pause(f"for {chief} {purpose}")
