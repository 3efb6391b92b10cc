"""Adapter that runs monitors as SessionRunHooks.

hooks = replace_monitors_with_hooks([ValidationMonitor(input_fn=input_fn)], estimator)
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.monitoring.base import BaseMonitor

tf1 = tf.compat.v1


class RunHookAdapterForMonitors(tf1.train.SessionRunHook):
    """Runs monitors as a `SessionRunHook`.

    Args:
      monitors: The monitors.
    """

    def __init__(self, monitors: list[BaseMonitor]) -> None:
        self._monitors = monitors

    def begin(self) -> None:
        """Calls `begin` of the monitors."""
        self._step: int | None = None
        self._global_step = tf1.train.get_global_step()
        for monitor in self._monitors:
            monitor.begin(max_steps=None)

    def before_run(self, run_context: Any) -> Any:
        """Calls `step_begin` of the monitors, and requests the tensors that they return."""
        if self._step is None:
            self._step = run_context.session.run(self._global_step) + 1
        fetches: dict[Any, Any] = {}
        for monitor in self._monitors:
            requests = monitor.step_begin(self._step) or []
            if not isinstance(requests, list):
                raise ValueError("Monitor.step_begin should return a list.")
            fetches.update(
                (request, _element(request, run_context.session.graph)) for request in requests
            )
        self._requests = list(fetches)
        return tf1.train.SessionRunArgs([self._global_step, list(fetches.values())])

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Calls `step_end` and `post_step` of the monitors."""
        step, values = run_values.results
        results = dict(zip(self._requests, values, strict=True))
        for monitor in self._monitors:
            if monitor.step_end(self._step, results):
                run_context.request_stop()
        for monitor in self._monitors:
            monitor.post_step(self._step, run_context.session)
        self._step = step + 1

    def end(self, session: Any) -> None:
        """Calls `end` of the monitors."""
        self._step = None
        for monitor in self._monitors:
            # The `end` method of a monitor may lack the argument.
            takes_session = "session" in inspect.signature(monitor.end).parameters
            monitor.end(session=session) if takes_session else monitor.end()


def replace_monitors_with_hooks(
    monitors_or_hooks: Iterable[Any] | None, estimator: Any
) -> list[Any]:
    """Replaces monitors by hooks.

    Args:
      monitors_or_hooks: Monitors and `SessionRunHook`s.
      estimator: The Estimator that they watch.

    Returns:
      `SessionRunHook`s. On a worker, monitors that run on the chief only are left out.
    """
    items = list(monitors_or_hooks or [])
    hooks = [item for item in items if isinstance(item, tf1.train.SessionRunHook)]
    monitors = [item for item in items if not isinstance(item, tf1.train.SessionRunHook)]
    if not estimator.config.is_chief:
        monitors = [monitor for monitor in monitors if monitor.run_on_all_workers]
    for monitor in monitors:
        monitor.set_estimator(estimator)
    return [*hooks, RunHookAdapterForMonitors(monitors)] if monitors else hooks


def _element(element: Any, graph: tf.Graph) -> Any:
    if not isinstance(element, str):
        return element
    return graph.as_graph_element(element if ":" in element else f"{element}:0")
