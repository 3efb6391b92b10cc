"""Evaluates: runs the metrics of an EstimatorSpec over the input and reads what comes out.

`Estimator.evaluate` builds the graph and calls `run` inside it; see there for a runnable example.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

LOSS = "loss"
_GLOBAL_STEP = tf1.GraphKeys.GLOBAL_STEP
_TAKEN = (
    "Metric with name {} is not allowed, because Estimator already defines a default metric with "
    "the same name."
)


class _StopAfterHook(tf1.train.SessionRunHook):
    """Stops after so many batches, and says how far it is: each time, or about ten times."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._every = 1 if steps < 20 else steps // 10
        self._done = 0

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self._done += 1
        if self._done % self._every == 0 or self._done == self._steps:
            tf1.logging.info("Evaluation [%d/%d]", self._done, self._steps)
        if self._done >= self._steps:
            run_context.request_stop()


def stop_hooks(steps: int | None) -> list[Any]:
    """Returns the hook that ends an evaluation after so many batches.

    Args:
      steps: How many; None goes on until the input ends.

    Returns:
      One hook, or none.

    Raises:
      ValueError: steps is not positive.
    """
    if steps is None:
        return []
    if steps <= 0:
        raise ValueError(f"Must specify steps > 0, given: {steps}")
    return [_StopAfterHook(steps)]


def with_loss(metrics: Mapping[str, Any], loss: Any) -> dict[str, Any]:
    """Adds the mean of the loss to the metrics. Called where the model function was called.

    Args:
      metrics: By name, (value, update op).
      loss: The loss of a batch, a scalar tensor.

    Returns:
      The metrics with "loss".

    Raises:
      ValueError: There is a metric "loss" already.
    """
    check_no_loss(metrics)
    return {**metrics, LOSS: tf1.metrics.mean(loss)}


def check_no_loss(metrics: Mapping[str, Any]) -> None:
    """Checks that the name "loss" is free.

    Args:
      metrics: The metrics by name.

    Raises:
      ValueError: There is a metric "loss" already.
    """
    if LOSS in metrics:
        raise ValueError(_TAKEN.format(f'"{LOSS}"'))


def updates_and_values(metrics: Mapping[str, Any]) -> tuple[tf.Operation, dict[str, Any]]:
    """Separates what runs for each batch from what is read at the end.

    Args:
      metrics: By name, (value, update op).

    Returns:
      One operation for all updates, and the values by name in the order of the names.
    """
    names = sorted(metrics)
    updates = tf.group(*[tf.nest.flatten(metrics[name][1]) for name in names])
    return updates, {name: metrics[name][0] for name in names}


def with_global_step(values: Mapping[str, Any]) -> dict[str, Any]:
    """Adds the default graph's global step to the values that are read at the end.

    Args:
      values: Tensors by name.

    Returns:
      The values with "global_step" as the last.

    Raises:
      ValueError: There is one already.
    """
    if _GLOBAL_STEP in values:
        raise ValueError(_TAKEN.format(f"`{_GLOBAL_STEP}`"))
    return {**values, _GLOBAL_STEP: tf1.train.get_global_step()}


def with_local_variables(scaffold: Any) -> Any:
    """Lets a scaffold initialize the metrics' variables, where it initializes others itself.

    Args:
      scaffold: A `tf.compat.v1.train.Scaffold`.

    Returns:
      It, or a copy with a longer local_init_op.
    """
    if not scaffold or scaffold.local_init_op is None:
        return scaffold
    everything = tf1.train.Scaffold.default_local_init_op()
    return tf1.train.Scaffold(
        local_init_op=tf.group(scaffold.local_init_op, everything), copy_from_scaffold=scaffold
    )


def run(
    updates: Any,
    values: dict[str, Any],
    scaffold: Any,
    hooks: list[Any],
    *,
    checkpoint_path: str | None,
    master: str,
    session_config: Any,
) -> dict[str, Any]:
    """Runs the updates until a hook stops it or the input ends, then reads the values.

    Args:
      updates: The operation that runs for each batch.
      values: What is read at the end: tensors by name.
      scaffold: The spec's scaffold.
      hooks: Hooks of the evaluation.
      checkpoint_path: What to restore; None initializes the variables.
      master: The session target.
      session_config: The session's ConfigProto.

    Returns:
      The values by name, as NumPy scalars or arrays.
    """
    final = tf1.train.FinalOpsHook(values)
    started = time.time()
    tf1.logging.info(
        "Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(started))
    )
    creator = tf1.train.ChiefSessionCreator(
        scaffold=scaffold,
        checkpoint_filename_with_path=checkpoint_path,
        master=master,
        config=session_config,
    )
    with tf1.train.MonitoredSession(creator, [*hooks, final]) as session:
        while not session.should_stop():
            session.run(updates)
    tf1.logging.info("Inference Time : %0.5fs", time.time() - started)
    tf1.logging.info(
        "Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime())
    )
    return final.final_ops_values
