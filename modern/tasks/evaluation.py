"""Evaluation and export of weights without the strategy that trained them, and the evaluator task.

Under every strategy, the weights are copied into a plain model in one process. That model evaluates
in the same way in every case and needs no workers. It is also the model that is exported.

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
import os
import sys
import time
import warnings
from collections.abc import Callable, Mapping

import numpy as np

from modern.model_files import checkpoints, exports, weights
from modern.process import chosen_keras, files
from modern.process.chosen_keras import keras
from modern.records import summaries, task_records
from modern.tasks.job import Job
from modern.training.steps import whole_steps

_BATCH_SIZE = 256
_POLL_S = 0.5
# A poll of an object store is a request that is charged for.
_POLL_REMOTE_S = 2.0


def plain_model(job: Job, values: Mapping[str, np.ndarray]) -> keras.Model:
    """Returns the job's model with these weights, in this process and without a strategy."""
    model = job.evaluation_model()
    weights.assign(model, values, "the trained model")
    return model


def evaluate(job: Job, model: keras.Model) -> dict[str, float]:
    """Returns loss and metrics of `plain_model` over the whole test set."""
    batches = job.eval_batches(_BATCH_SIZE)
    if chosen_keras.version() == 3 and chosen_keras.is_on_tensorflow():
        # If Keras does not know the number of batches, it would count one more.
        whole_steps.wait_for_data(model)
    with warnings.catch_warnings():
        # Keras 3 takes the end of such data for a mistake.
        warnings.filterwarnings("ignore", "Your input ran out of data", UserWarning)
        results = model.evaluate(batches, verbose=0, return_dict=True)
    # Only scalars go to result.json. For example, a confusion matrix does not.
    return {name: float(value) for name, value in results.items() if np.ndim(value) == 0}


def export(model: keras.Model, model_dir: str, step: int) -> str:
    """Writes MODEL_DIR/export/STEP, a SavedModel as TensorFlow Serving loads it.

    Its signature is `serving_default`.

    Returns:
      The path of the export. An existing export is of the same step and is left as it is.
    """
    final = os.path.join(model_dir, "export", str(step))
    if not files.exists(final):
        keras.utils.disable_interactive_logging()  # Export would print the signature.
        with exports.whole(final) as folder:
            model.export(folder)
    return final


def run_evaluator(job: Job, model_dir: str, train_steps: int) -> dict[int, dict[str, float]]:
    """Runs the `evaluator` task: evaluates each new checkpoint, up to that of the last step.

    It also ends when the training ends. It writes summaries to MODEL_DIR/eval, for TensorBoard.

    Returns:
      Loss and metrics for each step that was evaluated.
    """
    model = job.evaluation_model()
    results: dict[int, dict[str, float]] = {}
    scalars = summaries.ScalarWriter(os.path.join(model_dir, "eval"))

    def evaluate_checkpoint(path: str, over: bool) -> int | None:
        step = checkpoints.restore_for_evaluation(model, path)
        # With parameter servers, training goes on during a save. So two checkpoints may hold the
        # same step.
        if step is not None and step not in results:
            results[step] = evaluate(job, model)
            scalars.write(step, results[step])
            report(step, results[step])
        return step

    watch(model_dir, evaluate_checkpoint, train_steps, TrainingEnd(model_dir).has_come)
    return results


def report(step: int, results: Mapping[str, float]) -> None:
    """Prints the results of an evaluation on standard error."""
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
    """Evaluates each new checkpoint, up to that of the last step or until the training is over.

    Args:
      model_dir: The folder of the training.
      evaluate_checkpoint: Takes the path of a checkpoint, and whether the training is over. Returns
        the step, or None if the checkpoint has been deleted in the meantime.
      last_step: The last step of the training. None if the data end it.
      is_over: Returns whether the training is over.
      latest: Returns the latest checkpoint in a folder.
      start_delay_s: Seconds to wait before the first evaluation.
      throttle_s: Minimum number of seconds between the starts of two evaluations. The end of the
        training cuts this wait short.
    """
    poll_s = _POLL_REMOTE_S if files.is_remote(model_dir) else _POLL_S

    def wait(seconds: float, is_last: Callable[[], bool] = lambda: False) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not is_over() and not is_last():
            time.sleep(poll_s)

    wait(start_delay_s)
    last_path = None
    while True:
        next_start = time.monotonic() + throttle_s
        over = is_over()  # Before `latest`: the last checkpoint is saved before the end.
        path = latest(model_dir)
        if path and path != last_path:
            last_path = path
            step = evaluate_checkpoint(path, over)
            if step is None:
                continue  # Deleted between listing and reading: a newer one exists.
            if over or (last_step and step >= last_step):
                return
            wait(next_start - time.monotonic(), lambda: _is_of(latest(model_dir), last_step))
        elif over:
            return
        else:
            time.sleep(poll_s)


def _is_of(path: str | None, step: int | None) -> bool:
    """Returns whether a checkpoint is of the last step."""
    if not step:
        return False
    text = (path or "").rpartition("-")[2]
    return text.isdigit() and int(text) >= step


class TrainingEnd:
    """Detects the end of a training, from the record of the task that saves.

    A record that exists when this object is created belongs to an earlier run.

    Args:
      model_dir: The folder of the training.
      leader: The task that saves. None for the chief, or worker 0 if the chief has no record.
      believe_after_s: Seconds after which the end of an earlier run is accepted, because no new run
        is expected any longer.
    """

    def __init__(
        self, model_dir: str, leader: str | None = None, believe_after_s: float = math.inf
    ) -> None:
        self._model_dir, self._leader, self._believe_after_s = model_dir, leader, believe_after_s
        self._began, self._old_record = time.monotonic(), self._record()

    def _record(self) -> dict | None:
        if self._leader:
            return task_records.read(self._model_dir, self._leader)
        chief = task_records.read(self._model_dir, "chief-0")
        return chief or task_records.read(self._model_dir, "worker-0")

    def has_come(self, training: int = 1) -> bool:
        """Returns whether the training is over.

        Args:
          training: The number of the training among those that a process runs in turn, from 1.
        """
        record = self._record()
        if not record:
            return False
        if record == self._old_record:
            is_old = time.monotonic() - self._began > self._believe_after_s
            return is_old and record["finished"]
        number = record.get("training", 1)
        return number > training or (number == training and record["finished"])
