"""Evaluation and export of weights, away from the strategy that trained them; the evaluator task.

Whatever the strategy, the weights are copied into a plain model in one process. That model
evaluates the same way in every case, needs no worker to take part, and is the one that is exported
for serving.

>>> from modern.model_files import weights
>>> from modern.tasks import evaluation
>>> from modern.jobs import linear_regression
>>> from modern.tasks.job import DocumentedJob, LearningRate
>>> arrays = linear_regression.load_data("synthetic")
>>> job = DocumentedJob(linear_regression, arrays, LearningRate())
>>> model = evaluation.plain_model(job, weights.read(linear_regression.build_model()))
>>> sorted(evaluation.evaluate(job, model))
['loss']
"""

from __future__ import annotations

import math
import pathlib
import sys
import time
from collections.abc import Callable, Mapping

import numpy as np
import tf_keras

from modern.model_files import checkpoints, exports, weights
from modern.records import summaries, task_records
from modern.tasks.job import Job

_BATCH_SIZE = 256
_POLL_S = 0.5


def plain_model(job: Job, values: Mapping[str, np.ndarray]) -> tf_keras.Model:
    """The job's model with these weights, in this process and without a strategy."""
    model = job.evaluation_model()
    weights.assign(model, values, "the trained model")
    return model


def evaluate(job: Job, model: tf_keras.Model) -> dict[str, float]:
    """Loss and metrics over the whole test set, from `plain_model`."""
    batches = job.eval_batches(_BATCH_SIZE)
    results = model.evaluate(batches, verbose=0, return_dict=True)
    # A confusion matrix, for one, is no figure of result.json.
    return {name: float(value) for name, value in results.items() if np.ndim(value) == 0}


def export(model: tf_keras.Model, model_dir: str, step: int) -> str:
    """Writes MODEL_DIR/export/STEP, a SavedModel as TensorFlow Serving loads it.

    Its signature is `serving_default`.

    Returns:
      Its path. One that is there already is of the same step and is left as it is.
    """
    final = pathlib.Path(model_dir) / "export" / str(step)
    if not final.exists():
        tf_keras.utils.disable_interactive_logging()  # it would print the signature
        with exports.whole(str(final)) as folder:
            model.export(folder)
    return str(final)


def run_evaluator(job: Job, model_dir: str, train_steps: int) -> dict[int, dict[str, float]]:
    """The `evaluator` task: evaluates each new checkpoint, until that of the last step.

    It ends, too, when the training does.

    Writes summaries to MODEL_DIR/eval, for TensorBoard.

    Returns:
      Loss and metrics for each step that was evaluated.
    """
    model = job.evaluation_model()
    results: dict[int, dict[str, float]] = {}
    scalars = summaries.ScalarWriter(str(pathlib.Path(model_dir) / "eval"))

    def evaluate_checkpoint(path: str, over: bool) -> int | None:
        step = checkpoints.restore_for_evaluation(model, path)
        # With parameter servers a save goes on with the training: two may come to hold one step.
        if step is not None and step not in results:
            results[step] = evaluate(job, model)
            scalars.write(step, results[step])
            report(step, results[step])
        return step

    watch(model_dir, evaluate_checkpoint, train_steps, TrainingEnd(model_dir).has_come)
    return results


def report(step: int, results: Mapping[str, float]) -> None:
    """Says on standard error what an evaluation found."""
    figures = "  ".join(f"{name} {value:.4f}" for name, value in results.items())
    print(f"evaluated step {step:,}  {figures}", file=sys.stderr, flush=True)


def watch(
    model_dir: str,
    evaluate_checkpoint: Callable[[str, bool], int | None],
    last_step: int | None,
    is_over: Callable[[], bool],
    latest: Callable[[str], str | None] = checkpoints.latest,
    start_delay_s: float = 0.0,
    throttle_s: float = 0.0,
) -> None:
    """Evaluates each new checkpoint, until that of the last step, or until the training is over.

    Args:
      model_dir: of the training.
      evaluate_checkpoint: takes a checkpoint's path, and whether the training is over; returns its
        step, or None if it has been deleted meanwhile.
      last_step: the training's; None where its data end it.
      is_over: says whether the training is over.
      latest: finds the latest checkpoint in a folder.
      start_delay_s: seconds to wait before the first evaluation.
      throttle_s: seconds from the start of an evaluation to that of the next, at least. The end of
        the training is not waited for any longer.
    """

    def wait(seconds: float, is_last: Callable[[], bool] = lambda: False) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not is_over() and not is_last():
            time.sleep(_POLL_S)

    wait(start_delay_s)
    seen = None
    while True:
        next_one = time.monotonic() + throttle_s
        over = is_over()  # before looking: the last checkpoint is saved first
        path = latest(model_dir)
        if path and path != seen:
            seen = path
            step = evaluate_checkpoint(path, over)
            if step is None:
                continue  # deleted between listing and reading: a newer one is there
            if over or (last_step and step >= last_step):
                return
            wait(next_one - time.monotonic(), lambda: _is_of(latest(model_dir), last_step))
        elif over:
            return
        else:
            time.sleep(_POLL_S)


def _is_of(path: str | None, step: int | None) -> bool:
    """Whether a checkpoint is of the last step."""
    found = (path or "").rpartition("-")[2]
    return bool(step) and found.isdigit() and int(found) >= step


class TrainingEnd:
    """Whether a training is over: the record of the task that saves says so.

    What stands there as this is made is of an earlier run.

    Args:
      model_dir: of the training.
      leader: the task that saves; None for the chief, or worker 0 where there is no record of one.
      believe_after_s: after how many seconds an earlier run's end is believed: another one is then
        no longer expected to begin.
    """

    def __init__(
        self, model_dir: str, leader: str | None = None, believe_after_s: float = math.inf
    ) -> None:
        self._model_dir, self._leader, self._believe_after_s = model_dir, leader, believe_after_s
        self._began, self._before = time.monotonic(), self._record()

    def _record(self) -> dict | None:
        if self._leader:
            return task_records.read(self._model_dir, self._leader)
        chief = task_records.read(self._model_dir, "chief-0")
        return chief or task_records.read(self._model_dir, "worker-0")

    def has_come(self, training: int = 1) -> bool:
        """Whether it has.

        Args:
          training: which one of those that a process does in turn, as a record says it.
        """
        record = self._record()
        if not record:
            return False
        if record == self._before:
            is_old = time.monotonic() - self._began > self._believe_after_s
            return is_old and record["finished"]
        number = record.get("training", 1)
        return number > training or (number == training and record["finished"])
