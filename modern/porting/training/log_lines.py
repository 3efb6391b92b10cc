"""The lines that an Estimator logged, for scripts that search a log for them.

    model.fit(data, callbacks=[LogLoss()])

At the level INFO an Estimator logged `loss = 0.25, step = 100 (0.4 sec)`, `global_step/sec: 250`,
`Loss for final step: 0.2.` and `Saving dict for global step 200: accuracy = 0.9, loss = 0.3`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from modern.porting.training import program_log
from modern.process.chosen_keras import keras, tf_variable

_EVERY_STEPS = 100  # The default of `log_step_count_steps` of RunConfig.


def log_results(step: int, metrics: Mapping[str, Any]) -> None:
    """Logs the results of an evaluation.

    Args:
      step: The step of the evaluated model.
      metrics: The results by name, with or without "global_step".
    """
    values = {**metrics, "global_step": step}
    text = ", ".join(f"{name} = {value!s}" for name, value in sorted(values.items()))
    program_log.info("Saving dict for global step %d: %s", step, text)


class LogLoss(keras.callbacks.Callback):
    """Logs the loss of single batches, and the speed. Replaces an Estimator's own logging.

    It reads the model only if TensorFlow's log or that of absl has the level INFO. Keras rejects it
    under ParameterServerStrategy.

    Args:
      every_steps: Steps between two lines.
    """

    def __init__(self, every_steps: int = _EVERY_STEPS) -> None:
        super().__init__()
        self._interval = every_steps
        self._is_on = False
        self._done = self._before = self._start = 0
        self._sums = (0.0, 0.0)
        self._loss: float | None = None
        self._last: tuple[int, float] | None = None

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Records the step."""
        self._is_on = program_log.shows_info()
        self._done = self._before = 0
        self._loss = self._last = None
        if self._is_on:
            step = getattr(self.model, "global_step", None)
            step = self.model.optimizer.iterations if step is None else step
            self._start = int(step.numpy())  # int() fails for a variable of several replicas.

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Counts the batches of the last epoch."""
        self._before, self._done = self._before + self._done, 0

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Reads the metric "loss". An evaluation within the training may have reset it."""
        if self._is_on:
            self._sums = _sums(self.model)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Logs the loss of the batch, if it is due."""
        if not self._is_on:
            return
        self._done = batch + 1
        (total, count), (new_total, new_count) = self._sums, _sums(self.model)
        if new_count > count:
            self._loss = (new_total - total) / (new_count - count)
        # An Estimator logged the step before the update, so the first line has step 0.
        step = self._start + self._before + batch
        if self._loss is not None and (
            self._last is None or step - self._last[0] >= self._interval
        ):
            self._log_step(step)

    def _log_step(self, step: int) -> None:
        now = time.monotonic()
        if self._last is None:
            program_log.info("loss = %s, step = %d", _short(self._loss), step)
        else:
            last, then = self._last
            seconds = max(now - then, 1e-9)
            program_log.info("global_step/sec: %g", (step - last) / seconds)
            program_log.info("loss = %s, step = %d (%.3f sec)", _short(self._loss), step, seconds)
        self._last = step, now

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Logs the loss of the last batch."""
        if self._loss is not None:
            program_log.info("Loss for final step: %s.", _short(self._loss))


def _short(value: float | None) -> str:
    """Returns a loss with the digits of float32."""
    return f"{value:.8g}"


def _sums(model: keras.Model) -> tuple[float, float]:
    """Returns the sums of a model's metric "loss" in this process. Zeros if it has none yet."""
    results = model.distribute_strategy.experimental_local_results
    for metric in model.metrics:
        if metric.name == "loss" and hasattr(metric, "total") and hasattr(metric, "count"):
            total, count = (
                sum(float(part.numpy()) for part in results(tf_variable(variable)))
                for variable in (metric.total, metric.count)
            )
            return total, count
    return 0.0, 0.0
