"""The hooks that Estimator itself adds to a training.

    hooks = [LossHook(loss), tf.compat.v1.train.LoggingTensorHook(...)]

`loops.training` adds them in an order that matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tensorflow as tf

from modern.training.steps import packed_transfers

tf1 = tf.compat.v1

if TYPE_CHECKING:
    from legacy.estimator.cluster.coordination import Training


class LossHook(tf1.train.NanTensorHook):
    """Stops training when the loss becomes NaN, and keeps the last loss.

    Only this hook fetches the loss in every step.

    Args:
      loss: The loss, a scalar tensor.

    Attributes:
      last: The loss of the last step, or None before the first step.
    """

    def __init__(self, loss: tf.Tensor) -> None:
        super().__init__(loss)
        self.last_loss: Any = None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Checks and keeps the loss.

        Raises:
          tf.compat.v1.train.NanLossDuringTrainingError: The loss is NaN.
        """
        super().after_run(run_context, run_values)
        self.last_loss = run_values.results


class WaitForWorkersHook(tf1.train.SessionRunHook):
    """Makes the chief wait for the workers' last updates. Place it before the saver hook.

    Args:
      training: The chief's part in the training.
    """

    def __init__(self, training: Training) -> None:
        self._training = training

    def end(self, session: Any) -> None:
        """Waits for the workers while the session is still open."""
        step = tf1.train.get_global_step()
        self._training.wait_for_workers(lambda: session.run(step))


class OpenTrainingHook(tf1.train.SessionRunHook):
    """Tells the workers to start. Place it after the hook that saves the initial checkpoint.

    Args:
      training: The chief's part in the training.
    """

    def __init__(self, training: Training) -> None:
        self._training = training

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Opens the training. Opens it again after a recovery, because a ps may have restarted."""
        self._training.open()


class JoinTrainingHook(tf1.train.SessionRunHook):
    """Registers a worker with the chief before its first step.

    Args:
      training: The worker's part in the training.
    """

    def __init__(self, training: Training) -> None:
        self._training = training

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Joins the training, or stops before the first step if the chief is ending it."""
        if not self._training.join():
            coord.request_stop()


class ChiefSaverHook(tf1.train.CheckpointSaverHook):
    """A saver that delays the last checkpoint until all workers have finished.

    An earlier checkpoint at `last_step` would look like the final one, although updates of the
    workers are missing.

    Args:
      last_step: The global step at which the training stops. None if it is not known, or if no
        other task trains.
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
        """Saves the delayed checkpoint."""
        self._last_step = None
        if self._held_back is not None:
            step = int(session.run(tf1.train.get_global_step()))
            if step == self._held_back:  # The base class counts this step as saved.
                self._save(session, step)
        super().end(session)


class WorkerSessionCreator(tf1.train.SessionCreator):
    """Creates a worker's session as soon as the chief has initialized the variables.

    TensorFlow's own creator for workers checks only every 30 seconds.

    Args:
      training: The worker's part in the training.
      scaffold: The model's scaffold.
      master: The address of this worker's server.
      config: The session's ConfigProto.
      max_wait_secs: The longest time to wait for the variables, in seconds.
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


class PackingHook(tf1.train.SessionRunHook):
    """Packs small tensors that a step sends. Place it after the hooks that add to the graph.

    Args:
      train_op: What a step computes.
      device: The device of this task, such as "/job:worker/task:0".
    """

    def __init__(self, train_op: tf.Operation | tf.Tensor, device: str) -> None:
        self._train_op = train_op
        self._device = device

    def begin(self) -> None:
        """Changes the graph, just before its session is created."""
        packed_transfers.pack(tf1.get_default_graph(), [self._train_op], task=self._device)
