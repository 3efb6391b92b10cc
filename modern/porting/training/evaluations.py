"""Evaluations of a training, with summaries and exports, in its process or in the evaluator task.

    evaluations = Evaluations(adapter, "model_dir", eval_data, 1000, None, exporters)
    evaluations.watch("chief-0", 1, start_delay_secs=120, throttle_secs=600)

`porting.train_and_evaluate` uses it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from modern.porting.training import exporters, local_copies, log_lines, stopping_callbacks
from modern.records import summaries
from modern.tasks import evaluation
from modern.training.adapter import ModelAdapter

# An evaluator that starts late sees only the finished record, which looks like that of an earlier
# run. After so many seconds it accepts this record as the end of its own run.
_BELIEVE_AFTER_S = 600.0
# By MODEL_DIR. A process may run several trainings in one folder, and all of them belong to one
# run.
_ends: dict[str, evaluation.TrainingEnd] = {}


class Evaluations:
    """The evaluations of a training, with their summaries and exports.

    Args:
      adapter: The adapter of the model that is evaluated.
      model_dir: The folder of the training.
      data: Makes the batches.
      max_steps: The last step of the training. None if its data end it.
      name: The name in EvalSpec.
      all_exporters: An exporter, a sequence of exporters, or None.

    Attributes:
      metrics: The metrics of the last evaluation. None before the first.
      exports: The results of the exporters after it. None before the first.
    """

    def __init__(
        self,
        adapter: ModelAdapter,
        model_dir: str,
        data: Callable[[], tf.data.Dataset],
        max_steps: int | None,
        name: str | None,
        all_exporters: Any,
    ) -> None:
        self._adapter, self._model, self._model_dir = adapter, adapter.model, model_dir
        self._data = data
        self._max_steps, self._exporters = max_steps, exporters.as_tuple(all_exporters)
        self._scalars = summaries.ScalarWriter(stopping_callbacks.folder_of(model_dir, name))
        self._is_final = False
        self.metrics: dict[str, float] | None = None
        self.exports: list[bytes | None] | None = None

    def evaluate(self, step: int, over: bool = False) -> None:
        """Evaluates the model in its current state, and exports it.

        Args:
          step: The step of the model.
          over: Whether the training is over, at any step.
        """
        data = self._data()
        self._adapter.build(data, training=False)
        metrics = local_copies.evaluate(self._model, data, self._adapter.results)
        scalars = {name: value for name, value in metrics.items() if isinstance(value, float)}
        self._scalars.write(step, scalars)
        evaluation.report(step, scalars)
        log_lines.log_results(step, scalars)
        self.metrics = results = metrics | {"global_step": step}
        self._is_final = over or (self._max_steps is not None and step >= self._max_steps)
        self.exports = [self._export(exporter, results) for exporter in self._exporters]

    @contextlib.contextmanager
    def keeping_metrics(self) -> Iterator[None]:
        """Restores the values of the model's metrics after the block."""
        results = self._model.distribute_strategy.experimental_local_results
        variables = [v for metric in self._model.metrics for v in metric.variables]
        values = [(part, part.numpy()) for variable in variables for part in results(variable)]
        try:
            yield
        finally:
            for part, value in values:
                part.assign(value)

    def finish(self) -> None:
        """Runs the exports for the end of the training, unless they have been run."""
        if self.metrics is None or self.exports is None or self._is_final:
            return
        self._is_final = True
        for index, exporter in enumerate(self._exporters):
            if isinstance(exporter, exporters.FinalExporter):
                self.exports[index] = self._export(exporter, self.metrics)

    def _export(self, exporter: exporters.Exporter, metrics: exporters.Metrics) -> bytes | None:
        return exporter.export(self._model_dir, metrics, self._is_final, self._adapter.export)

    def watch(
        self, leader: str, training: int, start_delay_secs: float, throttle_secs: float
    ) -> None:
        """Evaluates each new checkpoint until the training is over, in the evaluator task.

        Args:
          leader: The task that saves.
          training: The number of the training among those of the process in this folder, from 1.
          start_delay_secs: Seconds to wait first.
          throttle_secs: Minimum number of seconds between the starts of two evaluations.
        """
        new_end = evaluation.TrainingEnd(self._model_dir, leader, _BELIEVE_AFTER_S)
        end = _ends.setdefault(self._model_dir, new_end)
        self._adapter.build(self._data(), training=False)

        def evaluate_checkpoint(path: str, over: bool) -> int | None:
            step = self._adapter.load(path)
            if step is not None:
                self.evaluate(step, over)
            return step

        evaluation.watch(
            self._model_dir,
            evaluate_checkpoint,
            self._max_steps,
            lambda: end.has_come(training),
            self._adapter.latest,
            start_delay_secs,
            throttle_secs,
        )
        self.finish()


class PeriodicEvaluation:
    """Evaluations after checkpoints, in the process that trains.

    Args:
      evaluations: The evaluations of the training.
      throttle_secs: Minimum number of seconds between the starts of two evaluations.
    """

    def __init__(self, evaluations: Evaluations, throttle_secs: float) -> None:
        self._evaluations, self._throttle_secs = evaluations, throttle_secs
        self._last: tuple[int, float] | None = None

    def after_save(self, step: int) -> None:
        """Evaluates, unless the last evaluation was a short while ago."""
        now = time.monotonic()
        if self._last is None or now - self._last[1] >= self._throttle_secs:
            # `fit` continues afterwards, and an evaluation resets and uses the metrics of the
            # training.
            with self._evaluations.keeping_metrics():
                self._evaluate(step)

    def after_training(self, step: int) -> None:
        """Evaluates the end of the training, unless that step has been evaluated."""
        if self._last is None or self._last[0] != step:
            self._evaluate(step)
        self._evaluations.finish()

    def _evaluate(self, step: int) -> None:
        self._last = step, time.monotonic()
        self._evaluations.evaluate(step)
