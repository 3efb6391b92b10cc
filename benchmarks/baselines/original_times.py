"""Trains an Estimator, and writes the examples and the times of the steady part of its training.

    original_times.train(model_fn, input_fn, batch_size, model_dir, output, warmup_steps, steps)

The programs beside this file import it when they run as scripts, on any TensorFlow.
"""

import functools
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import tensorflow.compat.v1 as tf
from tensorflow import estimator as tf_estimator


class StepTimes(tf.train.SessionRunHook):
    """Records the times of the first step after the warm-up and of the last step."""

    def __init__(self, warmup_steps: int) -> None:
        self._warmup_steps = warmup_steps
        self.points: list[tuple[float, int]] = []

    def before_run(self, run_context: Any) -> tf.train.SessionRunArgs:
        """Requests the global step, as most hooks of the time did."""
        return tf.train.SessionRunArgs(tf.train.get_global_step())

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stores the first point after the warm-up and the last one."""
        if run_values.results >= self._warmup_steps:
            self.points[1:] = [(time.time(), int(run_values.results))]


def train(
    model_fn: Callable[..., Any],
    input_fn: Callable[[], tf.data.Dataset],
    batch_size: int,
    model_dir: str,
    output: str,
    warmup_steps: int,
    steps: int,
) -> None:
    """Trains as this task, without checkpoints and summaries on the way.

    Args:
      model_fn: The model_fn.
      input_fn: Its data, of which one batch is evaluated at the end.
      batch_size: The size of its batches.
      model_dir: The folder of the training.
      output: The file that the chief writes. The global step counts the examples of all trainers.
      warmup_steps: The first steps, which are left out.
      steps: The last step.
    """
    config = tf_estimator.RunConfig(
        model_dir,
        save_checkpoints_secs=None,
        save_checkpoints_steps=10**9,
        save_summary_steps=10**9,
    )
    times = StepTimes(warmup_steps)
    tf_estimator.train_and_evaluate(
        tf_estimator.Estimator(model_fn, config=config),
        tf_estimator.TrainSpec(input_fn, max_steps=steps, hooks=[times]),
        tf_estimator.EvalSpec(input_fn, steps=1),
    )
    if config.is_chief:
        (start, first), (end, last) = times.points
        figures = {"examples": (last - first) * batch_size, "start": start, "end": end}
        with open(output, "w") as file:
            json.dump(figures, file)


def train_kind(
    model_fn: Callable[..., Any], input_fn: Callable[..., tf.data.Dataset], batch: int, path: str
) -> None:
    """Trains one kind of a model, for 700 steps or as many as the last argument of the program.

    The arguments before it are the kind, a path, MODEL_DIR and OUTPUT_JSON.

    Args:
      model_fn: The model_fn. Its params have the "kind" and the path.
      input_fn: Its data, of the same params.
      batch: The size of its batches.
      path: The name of the path in params.
    """
    kind, value, model_dir, output, *steps = sys.argv[1:]
    params = {"kind": kind, path: value}
    train(
        functools.partial(model_fn, params=params),
        functools.partial(input_fn, params),
        *(batch, model_dir, output, 100, int((steps or ["700"])[0])),
    )
