"""The hooks that Estimator adds to a training of its own accord.

    hooks = [LossHook(loss), tf.compat.v1.train.LoggingTensorHook(...)]

`train_loop` puts them in their order, which matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tensorflow as tf

tf1 = tf.compat.v1

if TYPE_CHECKING:
    from legacy.estimator.cluster.coordination import Training


class LossHook(tf1.train.NanTensorHook):
    """Ends a training whose loss is not a number, and remembers the last loss.

    The loss is fetched once per step, and for this hook alone.

    Args:
      loss: The loss, a scalar tensor.

    Attributes:
      last: The loss of the last step; None before the first.
    """

    def __init__(self, loss: tf.Tensor) -> None:
        super().__init__(loss)
        self.last: Any = None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Checks and keeps the loss.

        Raises:
          tf.compat.v1.train.NanLossDuringTrainingError: It is not a number.
        """
        super().after_run(run_context, run_values)
        self.last = run_values.results


class WaitForWorkersHook(tf1.train.SessionRunHook):
    """Lets the chief wait for the workers' last updates. It stands before the hook that saves.

    Args:
      training: The training.
    """

    def __init__(self, training: Training) -> None:
        self._training = training

    def end(self, session: Any) -> None:
        """Waits; the session is still open."""
        step = tf1.train.get_global_step()
        self._training.wait_for_workers(lambda: session.run(step))


class OpenTrainingHook(tf1.train.SessionRunHook):
    """Tells the workers to start. It stands after the hook that saves the initial checkpoint.

    Args:
      training: The training.
    """

    def __init__(self, training: Training) -> None:
        self._training = training

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Opens the training; again after a recovery, when a ps may have lost what stood on it."""
        self._training.open()


class JoinTrainingHook(tf1.train.SessionRunHook):
    """Writes down that a worker takes part, before its first step.

    Args:
      training: The training.
    """

    def __init__(self, training: Training) -> None:
        self._training = training

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Joins, or stops before any step where the chief is ending the training."""
        if not self._training.join():
            coord.request_stop()


class ChiefSaverHook(tf1.train.CheckpointSaverHook):
    """A saver that leaves the last checkpoint to the end, when all workers have finished.

    A checkpoint in between that has reached `last_step` would be taken for the final one.

    Args:
      last_step: Where the training stops; None where nobody knows, or nobody trains beside.
      **kwargs: As in `tf.compat.v1.train.CheckpointSaverHook`.
    """

    def __init__(self, last_step: int | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._last_step = last_step
        self._held_back: int | None = None

    def _save(self, session: Any, step: int) -> bool:
        if self._last_step is not None and step >= self._last_step:
            self._held_back = step
            return False
        return super()._save(session, step)

    def end(self, session: Any) -> None:
        """Saves what has not been saved."""
        self._last_step = None
        if self._held_back is not None:
            step = int(session.run(tf1.train.get_global_step()))
            if step == self._held_back:  # To the base class this step is done.
                self._save(session, step)
        super().end(session)


class WorkerSessionCreator(tf1.train.SessionCreator):
    """Makes a worker's session, as soon as the chief has initialized the variables.

    TensorFlow's own creator for workers looks for that every 30 seconds.

    Args:
      training: The training.
      scaffold: The model's scaffold.
      master: This worker's server.
      config: The session's ConfigProto.
      max_wait_secs: How long to wait for variables, in seconds.
    """

    def __init__(
        self, training: Training, scaffold: Any, master: str, config: Any, max_wait_secs: float
    ) -> None:
        self._training = training
        self._scaffold = scaffold
        self._master = master
        self._config = config
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Any:
        """Waits for the chief and returns a session in which the variables are initialized."""
        self._scaffold.finalize()
        self._training.wait_until_open()
        manager = tf1.train.SessionManager(
            local_init_op=self._scaffold.local_init_op,
            local_init_feed_dict=self._scaffold.local_init_feed_dict,
            ready_op=self._scaffold.ready_op,
            ready_for_local_init_op=self._scaffold.ready_for_local_init_op,
            graph=tf1.get_default_graph(),
            recovery_wait_secs=0.5,
        )
        return manager.wait_for_session(
            self._master, config=self._config, max_wait_secs=self._max_wait_secs
        )
