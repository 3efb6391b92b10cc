"""TrainSpec and EvalSpec, the arguments of train_and_evaluate.

>>> spec = EvalSpec(input_fn=lambda: None, steps=None)
>>> spec.start_delay_secs, spec.throttle_secs
(120, 600)
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.estimator import arguments
from legacy.estimator.export.exporters import Exporter

tf1 = tf.compat.v1

HOOKS = "All hooks must be `SessionRunHook` instances"
_LISTENERS = "All saving_listeners must be `CheckpointSaverListener` instances"


class TrainSpec(
    collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks", "saving_listeners"])
):
    """The training part of `train_and_evaluate`.

    Args:
      input_fn: As in `Estimator.train`.
      max_steps: The global step at which to stop. None means to train until the input ends.
      hooks: `SessionRunHook`s for all trainers.
      saving_listeners: `CheckpointSaverListener`s that run when a checkpoint is saved.

    Raises:
      TypeError: An argument has the wrong type.
      ValueError: `max_steps` is not positive.
    """

    def __new__(
        cls,
        input_fn: Callable[..., Any],
        max_steps: int | None = None,
        hooks: Iterable[Any] | None = None,
        saving_listeners: Iterable[Any] | None = None,
    ) -> TrainSpec:
        """Checks the arguments."""
        _check_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        hooks = arguments.check_hooks(hooks, tf1.train.SessionRunHook, HOOKS)
        listeners = arguments.check_hooks(
            saving_listeners, tf1.train.CheckpointSaverListener, _LISTENERS
        )
        return super().__new__(cls, input_fn, max_steps, hooks, listeners)


_EVAL_FIELDS = (
    "input_fn",
    "steps",
    "name",
    "hooks",
    "exporters",
    "start_delay_secs",
    "throttle_secs",
)


class EvalSpec(collections.namedtuple("EvalSpec", _EVAL_FIELDS)):
    """The evaluation and export part of `train_and_evaluate`.

    Args:
      input_fn: As in `Estimator.train`.
      steps: Number of batches to evaluate. None means to evaluate until the input ends.
      name: Suffix of the event file's folder, "eval_NAME". None means "eval".
      hooks: `SessionRunHook`s of the evaluations.
      exporters: An `Exporter`, or an iterable of `Exporter`s with distinct names.
      start_delay_secs: Seconds that an evaluator waits before the first evaluation.
      throttle_secs: Minimum number of seconds between the starts of two evaluations.

    Raises:
      TypeError: An argument has the wrong type.
      ValueError: A number is out of range, or an exporter's name is empty, not a string or not
        unique.
    """

    def __new__(
        cls,
        input_fn: Callable[..., Any],
        steps: int | None = 100,
        name: str | None = None,
        hooks: Iterable[Any] | None = None,
        exporters: Any = None,
        start_delay_secs: float = 120,
        throttle_secs: float = 600,
    ) -> EvalSpec:
        """Checks the arguments."""
        _check_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        hooks = arguments.check_hooks(hooks, tf1.train.SessionRunHook, HOOKS)
        exporters = _check_exporters(exporters)
        if start_delay_secs < 0:
            raise ValueError(f"Must specify start_delay_secs >= 0, given: {start_delay_secs}")
        if throttle_secs < 0:
            raise ValueError(f"Must specify throttle_secs >= 0, given: {throttle_secs}")
        return super().__new__(
            cls, input_fn, steps, name, hooks, exporters, start_delay_secs, throttle_secs
        )


def _check_input_fn(input_fn: Any) -> None:
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")


def _check_exporters(exporters: Any) -> tuple[Exporter, ...]:
    if not exporters:
        return ()
    exporter_list: Any = (exporters,) if isinstance(exporters, Exporter) else exporters
    exporter_list = (
        tuple(exporter_list) if isinstance(exporter_list, Iterable) else (exporter_list,)
    )
    if not all(isinstance(exporter, Exporter) for exporter in exporter_list):
        raise TypeError(
            "`exporters` must be an Exporter, an iterable of Exporter, or `None`, "
            f"found {exporters}."
        )
    names = [exporter.name for exporter in exporter_list]
    if not all(names):
        raise ValueError(
            f"An Exporter cannot have a name that is `None` or empty. All exporter names: {names}"
        )
    for name in names:
        if not isinstance(name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(name)}")
    if len(set(names)) != len(names):
        raise ValueError(f"`exporters` must have unique names. All exporter names: {names}")
    return exporter_list
