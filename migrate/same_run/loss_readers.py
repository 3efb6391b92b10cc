"""Readers of the loss of each step: a hook for Estimators, and a callback for Keras.

    estimator.train(input_fn, [loss_readers.session_hook(keep_first, norms)])
    model.fit(data, callbacks=[loss_readers.keras_callback(keras, model, norms, keep_first)])

The program computes the loss anyway. TensorFlow is imported when a reader is created, because the
program may set it up first.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from migrate.same_run import examples, gradients


def session_hook(keep_first: Callable[[Any], str], norms: gradients.Norms) -> Any:
    """Returns a hook that reads the loss of each step, and the first gradients and features.

    Args:
      keep_first: Function that is called with the session before the first step, after the session
        has saved its first checkpoint.
      norms: Reader of gradients.
    """
    import tensorflow as tf

    class Losses(tf.compat.v1.train.SessionRunHook):
        """Hook that reads the loss, which is the last tensor of the losses collection."""

        def __init__(self) -> None:
            self.losses: list[tuple[int, float]] = []
            self.gradients: list[tuple[int, float]] = []
            self.examples: dict[str, Any] = {}
            self.first: str | None = None

        def before_run(self, run_context: Any) -> Any:
            fetches: dict[str, Any] = {}
            graph = run_context.session.graph
            if self.first is None:
                self.first = keep_first(run_context.session)
                norms.take()  # Discards the rest of an earlier training.
                fetches["examples"] = examples.tensors(graph)
            losses = graph.get_collection(tf.compat.v1.GraphKeys.LOSSES)
            if losses:
                fetches["loss"] = losses[-1]
            if len(self.gradients) < gradients.STEPS:
                fetches["squares"] = norms.of_graph(graph)
            return tf.compat.v1.train.SessionRunArgs(fetches or None)

        def after_run(self, run_context: Any, run_values: Any) -> None:
            del run_context
            results = run_values.results or {}
            if "loss" not in results:
                return
            self.losses.append((len(self.losses) + 1, float(np.mean(results["loss"]))))
            if results.get("examples"):
                self.examples = examples.first(results["examples"])
            squares = [*results.get("squares", ()), norms.take()]
            if (
                any(square is not None for square in squares)
                and len(self.gradients) < gradients.STEPS
            ):
                total = sum(float(square) for square in squares if square is not None)
                self.gradients.append((len(self.losses), total))

    return Losses()


def keras_callback(
    keras: types.ModuleType,
    model: Any,
    norms: gradients.Norms,
    keep_first: Callable[[Any], str],
) -> Any:
    """Returns a callback that reads the loss of each step, and the gradients of the first steps.

    With parameter servers, it reads the loss of each epoch.

    Args:
      keras: The Keras of the model: tf_keras, or Keras 3.
      model: The model that trains.
      norms: Reader of gradients.
      keep_first: Function that is called with the TensorSpecs of a batch before the first step.
    """
    import tensorflow as tf

    servers = isinstance(model.distribute_strategy, tf.distribute.ParameterServerStrategy)

    class Losses(keras.callbacks.Callback):
        """Callback that reads the metric "loss", a mean, which begins each batch at zero.

        A model of Keras 3 has such a metric. If its `train_step` updates one of its own instead,
        the metric of Keras 3 stays at zero.

        The logs have the mean over an epoch, or a value that a hook has logged under that name.
        After a batch, the metric gets back the total of the batches before it. The growth of this
        total would not be exact: after a thousand steps, it has three digits less than the loss.
        """

        def __init__(self) -> None:
            super().__init__()
            self.losses: list[tuple[int, float]] = []
            self.gradients: list[tuple[int, float]] = []
            self.first: str | None = None
            self._earlier_steps = self._epoch_steps = 0
            self._base: list[tuple[float, float]] = []

        def on_train_begin(self, logs: Any = None) -> None:
            norms.take()  # Discards the rest of an earlier training.

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            self._earlier_steps, self._epoch_steps = self._earlier_steps + self._epoch_steps, 0

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            if servers and "loss" in (logs or {}):
                self._epoch_steps = int(self.params.get("steps") or 1)
                self.losses.append((self._earlier_steps + self._epoch_steps, float(logs["loss"])))

        def keep_first_at_step(self) -> None:
            """Lets the next step, which knows the type of the data, keep the initial values."""
            step = self.model.train_function

            def train_function(iterator: Any) -> Any:
                self.model.train_function = step
                self.first = keep_first(iterator.element_spec)
                return step(iterator)

            self.model.train_function = train_function

        def read_gradients(self, steps: int) -> None:
            """Reads the mean sum of squares of the last steps."""
            total, step = norms.take(), self._earlier_steps + self._epoch_steps
            if total is not None and step - steps < gradients.STEPS:
                self.gradients.append((step, total / steps))

    if not servers:  # With parameter servers, Keras rejects batch callbacks.

        def on_train_batch_begin(self: Any, batch: int, logs: Any = None) -> None:
            if self.first is None:
                self.keep_first_at_step()
            self._base = _take_totals(self.model)

        def on_train_batch_end(self: Any, batch: int, logs: Any = None) -> None:
            taken = _take_totals(self.model)
            steps, self._epoch_steps = batch + 1 - self._epoch_steps, batch + 1
            self.read_gradients(max(steps, 1))
            updated = [(total, count) for total, count in taken if count]
            if updated:  # An evaluation within the training has reset the metric otherwise.
                total, count = updated[-1]
                self.losses.append((self._earlier_steps + self._epoch_steps, total / count))
                _add_totals(self.model, self._base)
                _add_totals(self.model, taken)

        Losses.on_train_batch_begin = on_train_batch_begin
        Losses.on_train_batch_end = on_train_batch_end
    return Losses()


def _take_totals(model: Any) -> list[tuple[float, float]]:
    """Returns the total and the count of each metric "loss" of a model, and sets them to zero."""
    totals = []
    for metric in _losses_of(model):
        totals.append((float(metric.total.numpy()), float(metric.count.numpy())))
        metric.reset_state()
    return totals


def _add_totals(model: Any, totals: list[tuple[float, float]]) -> None:
    # Before its first step, a model of tf_keras has no metric "loss", and so no total.
    for metric, (total, count) in zip(_losses_of(model), totals, strict=False):
        metric.total.assign(float(metric.total.numpy()) + total)
        metric.count.assign(float(metric.count.numpy()) + count)


def _losses_of(model: Any) -> list[Any]:
    return [
        metric
        for metric in model.metrics
        if metric.name == "loss" and hasattr(metric, "total") and hasattr(metric, "count")
    ]
