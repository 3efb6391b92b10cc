"""Evaluation and export of new checkpoints during a training.

    evaluator = Evaluator(estimator, eval_spec, max_steps=1000)
    result, exports = evaluator.evaluate_and_export()  # the latest checkpoint, if it is a new one
    watch(evaluator, ContinuousEvalListener())         # the loop of the evaluator task

`train_and_evaluate` uses this module. It evaluates in the trainer's process (`EvaluationListener`)
or in a separate evaluator task (`watch`).
"""

from __future__ import annotations

import collections
import os
import time
import uuid
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.export.exporters import Exporter, FinalExporter
from legacy.estimator.training_specs import EvalSpec
from modern.model_files import intact

if TYPE_CHECKING:
    from legacy.estimator.estimator import Estimator

tf1 = tf.compat.v1

_POLL_SECS = 0.25
_REMIND_SECS = 600.0
# A chief that resumes a training removes the mark file of the previous run. The evaluator ignores
# a mark that existed at its own start for this long, to give the chief time to start up.
_BELIEVE_OLD_MARK_SECS = 60.0
_MARK = "training_over"


class EvalStatus:
    """Values of `EvalResult.status`."""

    EVALUATED = "evaluated"
    MISSING_CHECKPOINT = "missing checkpoint"
    NO_NEW_CHECKPOINT = "no new checkpoint"


class EvalResult(collections.namedtuple("EvalResult", ["status", "metrics", "checkpoint_path"])):
    """The result of an attempt to evaluate the latest checkpoint.

    Args:
      status: One of `EvalStatus`. The other arguments are set only for EVALUATED.
      metrics: The return value of `Estimator.evaluate`.
      checkpoint_path: The checkpoint that was evaluated.

    Raises:
      ValueError: The status is EVALUATED, and the metrics are empty, lack the global step, or the
        checkpoint is missing. Or the status is another one, and metrics or a checkpoint are set.
      TypeError: The metrics are not a dict.
    """

    def __new__(
        cls, status: str, metrics: Any = None, checkpoint_path: str | None = None
    ) -> EvalResult:
        """Checks the arguments."""
        if status != EvalStatus.EVALUATED:
            if metrics or checkpoint_path:
                raise ValueError(
                    f"metrics and checkpoint must be `None` if status is {status!r}; got "
                    f"{metrics} of {checkpoint_path}."
                )
        elif not metrics:
            raise ValueError(
                "Internal error: `Estimator.evaluate` should never return empty metrics."
            )
        elif not isinstance(metrics, dict):
            raise TypeError(f"`Estimator.evaluate` should return dict. Given {type(metrics)}.")
        elif tf1.GraphKeys.GLOBAL_STEP not in metrics:
            raise ValueError(
                "Internal error: `Estimator.evaluate` result should have `global_step` in result. "
                f"Given {metrics}"
            )
        elif not checkpoint_path:
            raise ValueError("Internal error: `checkpoint_path` should never be empty.")
        return super().__new__(cls, status, metrics, checkpoint_path)


class ContinuousEvalListener:
    """A listener that runs around each evaluation and may end the evaluation loop."""

    def before_eval(self) -> bool:
        """Returns whether to go on. False ends evaluation, and in a local run also the training."""
        return True

    def after_eval(self, eval_result: EvalResult) -> bool:
        """Returns whether to go on, as in `before_eval`.

        Args:
          eval_result: The result of the evaluation.
        """
        del eval_result
        return True


class Evaluator:
    """Evaluates the latest checkpoint and runs the exporters.

    Args:
      estimator: The Estimator.
      eval_spec: The EvalSpec.
      max_steps: The global step at which training ends. None if it ends with its input.

    Attributes:
      result: The last evaluation's result, or None before the first evaluation.
      exports: The exporters' return values of the last evaluation, or None before the first.
    """

    def __init__(self, estimator: Estimator, eval_spec: EvalSpec, max_steps: int | None) -> None:
        self.estimator = estimator
        self.spec = eval_spec
        self.max_steps = max_steps
        self.result: EvalResult | None = None
        self.exports: list[Any] | None = None
        self._exported_finally = False
        self._last_reminder: float | None = None

    def evaluate_and_export(self, training_over: bool = False) -> tuple[EvalResult, list[Any]]:
        """Evaluates and exports the latest checkpoint, unless it was evaluated last.

        Args:
          training_over: If true, no checkpoint will follow, so this export is the final one. If
            false, the export is final if the checkpoint has reached `max_steps`.

        Returns:
          The result, and the exporters' return values.

        Raises:
          TypeError: `Estimator.evaluate` did not return a dict.
          ValueError: It returned an empty dict, or one without the global step.
        """
        checkpoint = self.estimator.latest_checkpoint()
        if not checkpoint:
            self._remind(
                "Estimator is not trained yet. Will start an evaluation when a checkpoint is ready."
            )
            return EvalResult(EvalStatus.MISSING_CHECKPOINT), []
        if self.result and checkpoint == self.result.checkpoint_path:
            self._remind(
                "No new checkpoint ready for evaluation. Skip the current evaluation pass as "
                "evaluation results are expected to be same for the same checkpoint."
            )
            return EvalResult(EvalStatus.NO_NEW_CHECKPOINT), []
        try:
            metrics = self.estimator.evaluate(
                input_fn=self.spec.input_fn,
                steps=self.spec.steps,
                name=self.spec.name,
                checkpoint_path=checkpoint,
                hooks=self.spec.hooks,
            )
        except (tf.errors.OpError, ValueError):
            # The trainer goes on, so another checkpoint may follow.
            if not intact.is_lost(checkpoint):
                raise
            return EvalResult(EvalStatus.NO_NEW_CHECKPOINT), []
        self.result = EvalResult(EvalStatus.EVALUATED, metrics, checkpoint)
        self._exported_finally = training_over or self.reached_max_steps()
        self.exports = self._export_eval_result(self.result, self._exported_finally)
        self._last_reminder = None
        return self.result, self.exports

    @property
    def is_final_export_triggered(self) -> bool:
        """True if the exporters have run with `is_the_final_export=True`."""
        return self._exported_finally

    def finish(self) -> None:
        """Runs each FinalExporter if the training ended before `max_steps`.

        TensorFlow 2.15 did not run a final export in this case, nor if `max_steps` was None.
        """
        if self.result is None or self._exported_finally:
            return
        self._exported_finally = True
        for i, exporter in enumerate(self.spec.exporters):
            if isinstance(exporter, FinalExporter):
                self.exports[i] = self._export(exporter, self.result, is_the_final_export=True)

    def reached_max_steps(self) -> bool:
        """Returns whether the last evaluated checkpoint has reached `max_steps`."""
        return (
            bool(self.max_steps)
            and self.result is not None
            and _step(self.result.checkpoint_path, self.result.metrics) >= self.max_steps
        )

    def _export_eval_result(self, result: EvalResult, is_the_final_export: bool) -> list[Any]:
        """Runs all exporters. Programs with their own evaluation loop call this method."""
        return [
            self._export(exporter, result, is_the_final_export) for exporter in self.spec.exporters
        ]

    def _export(self, exporter: Exporter, result: EvalResult, is_the_final_export: bool) -> Any:
        folder = os.path.join(tf.compat.as_str_any(self.estimator.model_dir), "export")
        return exporter.export(
            estimator=self.estimator,
            export_path=os.path.join(folder, exporter.name),
            checkpoint_path=result.checkpoint_path,
            eval_result=result.metrics,
            is_the_final_export=is_the_final_export,
        )

    def _remind(self, message: str) -> None:
        now = time.monotonic()
        if self._last_reminder is None or now - self._last_reminder > _REMIND_SECS:
            tf1.logging.warning(message)
            self._last_reminder = now


class EvaluationListener(tf1.train.CheckpointSaverListener):
    """Evaluates in the trainer's process after each checkpoint except the first.

    Args:
      evaluator: The evaluator.
      listener: The listener that may end training and evaluation.
    """

    def __init__(self, evaluator: Evaluator, listener: ContinuousEvalListener) -> None:
        self._evaluator = evaluator
        self._listener = listener

    def begin(self) -> None:
        """Resets the timer at the start of a training."""
        self._timer = tf1.train.SecondOrStepTimer(every_secs=self._evaluator.spec.throttle_secs)
        self._is_first = True

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        """Evaluates, unless the last evaluation was less than `throttle_secs` ago.

        Returns:
          True to end the training.
        """
        if self._is_first:  # This checkpoint is saved before the first step.
            self._is_first = False
            return None
        if not self._listener.before_eval():
            tf1.logging.info("Exiting training and evaluation loop, as requested by before_eval.")
            return True
        if not self._timer.should_trigger_for_step(global_step_value):
            tf1.logging.info(
                "Skip the current checkpoint eval due to throttle secs (%s secs).",
                self._evaluator.spec.throttle_secs,
            )
            return None
        if not self._evaluate(global_step_value):
            tf1.logging.info("Exiting evaluation, as requested by after_eval.")
            return True
        return None

    def end(self, session: Any, global_step_value: int) -> None:
        """Evaluates and exports the last checkpoint, unless `after_save` already did."""
        is_done = global_step_value == self._timer.last_triggered_step()
        if not is_done and self._listener.before_eval():
            self._evaluate(global_step_value)
        self._evaluator.finish()

    def _evaluate(self, global_step_value: int) -> bool:
        self._timer.update_last_triggered_step(global_step_value)
        result, _ = self._evaluator.evaluate_and_export()
        if result.status != EvalStatus.EVALUATED:
            raise RuntimeError(
                "There was no new checkpoint after the training. "
                f"Eval status: {result.status}. Does latest_checkpoint() say what was saved?"
            )
        return self._listener.after_eval(result)


def watch(evaluator: Evaluator, listener: ContinuousEvalListener) -> None:
    """Evaluates each new checkpoint until the training is over.

    The training is over when a checkpoint at `max_steps` has been evaluated. If the input ends
    earlier, the chief writes a mark file (`mark_over`).

    Args:
      evaluator: The evaluator.
      listener: The listener that may end the evaluation.
    """
    spec = evaluator.spec
    model_dir = tf.compat.as_str_any(evaluator.estimator.model_dir)
    started = time.monotonic()
    old_mark = _mark(model_dir)

    def is_over() -> bool:
        mark = _mark(model_dir)
        is_old = mark == old_mark and time.monotonic() - started < _BELIEVE_OLD_MARK_SECS
        return mark is not None and not is_old

    if spec.start_delay_secs:
        tf1.logging.info("Waiting %f secs before starting eval.", spec.start_delay_secs)
        time.sleep(spec.start_delay_secs)
    has_warned = False
    while listener.before_eval():
        next_evaluation = time.monotonic() + spec.throttle_secs
        # Read the mark before the checkpoint. The chief saves first and then writes the mark, so
        # after a mark the latest checkpoint is the final one.
        is_training_over = is_over()
        result, _ = evaluator.evaluate_and_export(training_over=is_training_over)
        if not listener.after_eval(result):
            break
        if result.status == EvalStatus.EVALUATED:
            if evaluator.reached_max_steps():
                tf1.logging.info(
                    "Exiting evaluation, global_step=%s >= train max_steps=%s",
                    result.metrics[tf1.GraphKeys.GLOBAL_STEP],
                    evaluator.max_steps,
                )
                return
            while time.monotonic() < next_evaluation and not is_over():
                if _is_last(evaluator, model_dir):
                    break
                time.sleep(_POLL_SECS)
        elif is_training_over:
            tf1.logging.info("Exiting evaluation: the training is over.")
            evaluator.finish()
            return
        else:
            if spec.throttle_secs == 0 and not has_warned:
                tf1.logging.warning(
                    "EvalSpec.throttle_secs is set as 0. This might overload the job before "
                    "finding (next) new checkpoint. Please consider to increase it."
                )
                has_warned = True
            time.sleep(_POLL_SECS)
    tf1.logging.info("Exiting evaluation, as requested by the listener.")


def mark_over(model_dir: str) -> None:
    """Writes the mark file that tells the evaluator that no checkpoint follows.

    Args:
      model_dir: The model's folder.
    """
    path = os.path.join(model_dir, _MARK)
    with tf.io.gfile.GFile(path + ".tmp", "w") as file:
        # Random content lets the evaluator distinguish this mark from that of an earlier run.
        file.write(uuid.uuid4().hex)
    tf.io.gfile.rename(path + ".tmp", path, overwrite=True)


def remove_mark(model_dir: str) -> None:
    """Removes the mark file of an earlier training.

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


def _is_last(evaluator: Evaluator, model_dir: str) -> bool:
    """Returns whether the latest checkpoint has reached `max_steps`.

    If it has, no other checkpoint follows, and `watch` need not wait for `throttle_secs`.
    """
    step = _step(tf1.train.latest_checkpoint(model_dir), {})
    return bool(evaluator.max_steps) and step >= evaluator.max_steps


def _step(checkpoint: str | None, metrics: dict[str, Any]) -> int:
    """Returns the step in a checkpoint's name, or else the global step of the metrics.

    The name has the step at which the chief began to save. Asynchronous workers train on while it
    saves, so the global step inside a checkpoint may already have reached `max_steps`.
    """
    step = (checkpoint or "").rpartition("-")[2]
    return int(step) if step.isdigit() else int(metrics.get(tf1.GraphKeys.GLOBAL_STEP, 0))
