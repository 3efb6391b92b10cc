"""Evaluation and export of weights, away from the strategy that trained them; the evaluator task.

Whatever the strategy, the weights are copied into a plain model in one process. That model
evaluates the same way in every case, needs no worker to take part, and is the one that is exported
for serving.

>>> from modern import evaluation, weights
>>> from modern.jobs import linear_regression as job
>>> arrays = job.load_data("synthetic")
>>> model = evaluation.plain_model(job, weights.read(job.build_model()))
>>> sorted(evaluation.evaluate(job, model, arrays))
['loss']
"""

from __future__ import annotations

import pathlib
import sys
import time
from collections.abc import Mapping
from types import ModuleType

import numpy as np
import tensorflow as tf
import tf_keras

from modern import checkpoints, data, exports, records, summaries, weights

_BATCH_SIZE = 256
_POLL_S = 0.5


def plain_model(job: ModuleType, values: Mapping[str, np.ndarray]) -> tf_keras.Model:
    """The job's model with these weights, in this process and without a strategy."""
    model = job.build_model()
    weights.assign(model, values, "the trained model")
    model.compile(loss=job.make_loss(), metrics=job.make_metrics())
    return model


def evaluate(job: ModuleType, model: tf_keras.Model, arrays: data.ArrayDataset) -> dict[str, float]:
    """Loss and metrics over the whole test set, from `plain_model`."""
    batches = job.eval_input_fn(arrays, _BATCH_SIZE)
    results = model.evaluate(batches, verbose=0, return_dict=True)
    return {name: float(value) for name, value in results.items()}


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


def run_evaluator(
    job: ModuleType, arrays: data.ArrayDataset, model_dir: str, train_steps: int
) -> dict[int, dict[str, float]]:
    """The `evaluator` task: evaluates each new checkpoint, until that of the last step.

    It ends, too, when the training does.

    Writes summaries to MODEL_DIR/eval, for TensorBoard.

    Returns:
      Loss and metrics for each step that was evaluated.
    """
    before = _leader_record(model_dir)
    model = job.build_model()
    model.compile(loss=job.make_loss(), metrics=job.make_metrics())
    results: dict[int, dict[str, float]] = {}
    scalars = summaries.ScalarWriter(str(pathlib.Path(model_dir) / "eval"))
    seen = None
    while True:
        over = _training_is_over(model_dir, before)
        path = tf.train.latest_checkpoint(checkpoints.folder(model_dir))
        if path and path != seen:
            seen = path
            step = checkpoints.restore_for_evaluation(model, path)
            if step is None:
                continue  # deleted between listing and reading: a newer one is there
            results[step] = evaluate(job, model, arrays)
            scalars.write(step, results[step])
            figures = "  ".join(f"{name} {value:.4f}" for name, value in results[step].items())
            print(f"evaluated step {step:,}  {figures}", file=sys.stderr, flush=True)
            if step >= train_steps:
                return results
        elif over:
            return results
        time.sleep(_POLL_S)


def _leader_record(model_dir: str) -> dict | None:
    """The record of the task that saves: the chief, or worker 0 where there is none."""
    return records.read(model_dir, "chief-0") or records.read(model_dir, "worker-0")


def _training_is_over(model_dir: str, before: dict | None) -> bool:
    record = _leader_record(model_dir)
    return bool(record and record["finished"] and record != before)
