"""Evaluation beside a training: after a checkpoint, with exports; in the trainer or in a task.

    evaluator = Evaluator(estimator, eval_spec, max_steps=1000)
    evaluator.evaluate()          # the latest checkpoint, if it is a new one
    watch(evaluator)              # what the evaluator task does, until the training is over

`train_and_evaluate` does this.
"""

from __future__ import annotations

import os
import time
import uuid
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.training_specs import EvalSpec

if TYPE_CHECKING:
    from legacy.estimator.estimator import Estimator

tf1 = tf.compat.v1

_POLL_SECS = 0.25
_REMIND_SECS = 60.0
# A chief that resumes removes the mark of the run before it; it gets this long to start up.
_BELIEVE_OLD_MARK_SECS = 60.0
_MARK = "training_over"


class Evaluator:
    """Evaluates the latest checkpoint and runs the exporters.

    Args:
      estimator: The Estimator.
      eval_spec: How to evaluate.
      max_steps: The global step at which training ends; None where its input ends it.

    Attributes:
      metrics: The last evaluation's metrics; None before the first.
      exports: What the exporters returned then.
    """

    def __init__(self, estimator: Estimator, eval_spec: EvalSpec, max_steps: int | None) -> None:
        self.estimator = estimator
        self.spec = eval_spec
        self.max_steps = max_steps
        self.metrics: dict[str, Any] | None = None
        self.exports: list[Any] | None = None
        self._evaluated: str | None = None

    def is_new(self) -> bool:
        """Says whether there is a checkpoint that has not been evaluated."""
        return self.estimator.latest_checkpoint() not in (None, self._evaluated)

    def evaluate(self, training_over: bool = False) -> None:
        """Evaluates the latest checkpoint and exports it.

        Args:
          training_over: Whether no checkpoint will follow, whatever its global step is.
        """
        checkpoint = self.estimator.latest_checkpoint()
        self.metrics = self.estimator.evaluate(
            input_fn=self.spec.input_fn,
            steps=self.spec.steps,
            name=self.spec.name,
            checkpoint_path=checkpoint,
            hooks=self.spec.hooks,
        )
        self._evaluated = checkpoint
        folder = os.path.join(tf.compat.as_str(self.estimator.model_dir), "export")
        self.exports = [
            exporter.export(
                estimator=self.estimator,
                export_path=os.path.join(folder, exporter.name),
                checkpoint_path=checkpoint,
                eval_result=self.metrics,
                is_the_final_export=training_over or self.reached_max_steps(),
            )
            for exporter in self.spec.exporters
        ]

    def reached_max_steps(self) -> bool:
        """Says whether the last evaluation was of the end of the training."""
        return (
            self.max_steps is not None
            and self.metrics is not None
            and _step(self._evaluated, self.metrics) >= self.max_steps
        )


class EvaluationListener(tf1.train.CheckpointSaverListener):
    """Evaluates in the trainer's process after each checkpoint but the first.

    Args:
      evaluator: The evaluator.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._last = time.monotonic()
        self._first = True
        self._skipped_all = True

    def after_save(self, session: Any, global_step_value: int) -> None:
        """Evaluates, unless the last evaluation was less than throttle_secs ago."""
        if self._first:  # The one that is saved before any step.
            self._first = False
            return
        throttle_secs = self._evaluator.spec.throttle_secs
        now = time.monotonic()
        if not self._skipped_all and now - self._last < throttle_secs:
            tf1.logging.info(
                "Skip the current checkpoint eval due to throttle secs (%d secs).", throttle_secs
            )
            return
        self._skipped_all = False
        self._last = now
        self._evaluator.evaluate()

    def end(self, session: Any, global_step_value: int) -> None:
        """Evaluates and exports the last checkpoint, if that has not been done."""
        if self._evaluator.is_new() or not self._evaluator.reached_max_steps():
            self._evaluator.evaluate(training_over=True)


def watch(evaluator: Evaluator) -> None:
    """Evaluates each new checkpoint until the training is over.

    It is over when a checkpoint at max_steps has been evaluated, or when the chief has left the
    mark that it ended before (`mark_over`), because the input did.

    Args:
      evaluator: The evaluator.
    """
    spec, model_dir = evaluator.spec, evaluator.estimator.model_dir
    started = logged = time.monotonic()
    old_mark = _mark(model_dir)
    time.sleep(spec.start_delay_secs)
    next_evaluation = 0.0
    while True:
        now = time.monotonic()
        # Looked at before the checkpoint: the chief saves first, and then leaves its mark.
        mark = _mark(model_dir)
        is_old = mark == old_mark and now - started < _BELIEVE_OLD_MARK_SECS
        over = mark is not None and not is_old
        if evaluator.is_new() and (now >= next_evaluation or over or _is_last(evaluator)):
            next_evaluation = now + spec.throttle_secs
            evaluator.evaluate(training_over=over)
            if evaluator.reached_max_steps():
                step = evaluator.metrics[tf1.GraphKeys.GLOBAL_STEP]
                tf1.logging.info(
                    "Exiting evaluation, global_step=%s >= train max_steps=%s",
                    step,
                    evaluator.max_steps,
                )
                return
        elif over:
            tf1.logging.info("Exiting evaluation: the training is over.")
            return
        elif now - logged > _REMIND_SECS:
            tf1.logging.info("Waiting for a new checkpoint in %s.", model_dir)
            logged = now
        time.sleep(_POLL_SECS)


def mark_over(model_dir: str) -> None:
    """Leaves the mark by which an evaluator knows that no checkpoint follows.

    Args:
      model_dir: The model's folder.
    """
    path = os.path.join(model_dir, _MARK)
    with tf.io.gfile.GFile(path + ".tmp", "w") as file:
        file.write(uuid.uuid4().hex)
    tf.io.gfile.rename(path + ".tmp", path, overwrite=True)


def remove_mark(model_dir: str) -> None:
    """Removes the mark of an earlier training.

    Args:
      model_dir: The model's folder.
    """
    path = os.path.join(model_dir, _MARK)
    if tf.io.gfile.exists(path):
        tf.io.gfile.remove(path)


def _mark(model_dir: str) -> str | None:
    try:
        with tf.io.gfile.GFile(os.path.join(model_dir, _MARK)) as file:
            return file.read()
    except tf.errors.NotFoundError:
        return None


def _is_last(evaluator: Evaluator) -> bool:
    """Says whether the latest checkpoint is the last one: then throttling would only waste time."""
    step = _step(evaluator.estimator.latest_checkpoint(), {})
    return evaluator.max_steps is not None and step >= evaluator.max_steps


def _step(checkpoint: str | None, metrics: dict[str, Any]) -> int:
    """Returns a checkpoint's step: the one in its name, when the chief began to save.

    Asynchronous workers go on while it saves, so the step inside may already be the last one.
    """
    step = (checkpoint or "").rpartition("-")[2]
    return int(step) if step.isdigit() else int(metrics.get(tf1.GraphKeys.GLOBAL_STEP, 0))
