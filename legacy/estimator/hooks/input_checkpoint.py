"""CheckpointInputPipelineHook, which saves and restores the position in the training input.

    hook = CheckpointInputPipelineHook(estimator)
    estimator.train(input_fn, hooks=[hook], steps=100)
    estimator.train(input_fn, hooks=[hook], steps=100)  # Goes on at batch 101.

Up to version 2.15, TensorFlow had this class as `tf.data.experimental.CheckpointInputPipelineHook`.
The files are the same: "input.ckpt-STEP" and "checkpoint_input", next to those of the model.
"""

from __future__ import annotations

import os
import types
from typing import Any

import tensorflow as tf

from legacy.estimator.estimator import Estimator

tf1 = tf.compat.v1

# The graph collection in which TensorFlow registers the iterators of a graph.
_ITERATORS = "iterators"


class CheckpointInputPipelineHook(tf1.train.SessionRunHook):
    """Saves the state of all iterators in the training graph whenever the model is saved.

    Args:
      estimator: The Estimator to be trained. Provides `model_dir` and the intervals of saving. In a
        cluster, each trainer saves its own input under its own name.

    Raises:
      ValueError: If the RunConfig disables checkpoints.
    """

    def __init__(self, estimator: Estimator) -> None:
        config = estimator.config
        name = "input"
        if config.num_worker_replicas > 1:
            name += f"_{config.task_type}_{config.task_id}"
        self._path = os.path.join(estimator.model_dir, f"{name}.ckpt")
        self._model_dir = estimator.model_dir
        # A separate file: "checkpoint" lists the checkpoints of the model.
        self._state_file = f"checkpoint_{name}"
        self._timer = tf1.train.SecondOrStepTimer(
            every_secs=config.save_checkpoints_secs, every_steps=config.save_checkpoints_steps
        )

    def begin(self) -> None:
        """Creates the saver of the iterators.

        Raises:
          RuntimeError: If the graph has no global step.
          ValueError: If the graph has no iterator.
        """
        self._first_run = True
        self._timer.reset()
        self._global_step = tf1.train.get_global_step()
        if self._global_step is None:
            raise RuntimeError("Global step should be created to use CheckpointInputPipelineHook.")
        # The graph's collection holds the resources, but the function takes an iterator object.
        saveables = [
            tf.data.experimental.make_saveable_from_iterator(
                types.SimpleNamespace(_iterator_resource=resource)
            )
            for resource in tf1.get_collection(_ITERATORS)
        ]
        self._saver = tf1.train.Saver(saveables)

    def before_run(self, run_context: Any) -> Any:
        """Restores the iterators before the first step, or saves their initial state."""
        # Not in after_create_session: another hook initializes the iterators there.
        if self._first_run:
            self._first_run = False
            latest = tf.train.latest_checkpoint(self._model_dir, self._state_file)
            if latest:
                self._saver.restore(run_context.session, latest)
            else:
                self._save(run_context.session, self._step(run_context.session))
        return tf1.train.SessionRunArgs(self._global_step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Saves the iterators if a save is due."""
        # The fetched step may be from before or after its increment. Read it again if the later
        # value is due.
        if self._timer.should_trigger_for_step(run_values.results + 1):
            step = self._step(run_context.session)
            if self._timer.should_trigger_for_step(step):
                self._save(run_context.session, step)

    def end(self, session: Any) -> None:
        """Saves the iterators unless the last step has been saved."""
        step = self._step(session)
        if step != self._timer.last_triggered_step():
            self._save(session, step)

    def _step(self, session: Any) -> int:
        return int(session.run(self._global_step))

    def _save(self, session: Any, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        self._saver.save(session, self._path, global_step=step, latest_filename=self._state_file)
