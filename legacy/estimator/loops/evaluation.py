"""The evaluation loop, which runs the metrics of an EstimatorSpec over the input.

`Estimator.evaluate` builds the graph and calls `run` inside it.
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
    """Hook that stops after a number of batches.

    It logs the progress about ten times, or after each batch if `steps` is less than 20.
    """

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._every = 1 if steps < 20 else steps // 10
        self._num_done = 0

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self._num_done += 1
        if self._num_done % self._every == 0 or self._num_done == self._steps:
            tf1.logging.info("Evaluation [%d/%d]", self._num_done, self._steps)
        if self._num_done >= self._steps:
            run_context.request_stop()


def stop_hooks(steps: int | None) -> list[Any]:
    """Returns the hook that ends an evaluation after a number of batches.

    Args:
      steps: Number of batches. None means to evaluate until the input ends.

    Returns:
      A list of one hook, or an empty list if `steps` is None.

    Raises:
      ValueError: `steps` is not positive.
    """
    if steps is None:
        return []
    if steps <= 0:
        raise ValueError(f"Must specify steps > 0, given: {steps}")
    return [_StopAfterHook(steps)]


def with_loss(metrics: Mapping[str, Any], loss: Any) -> dict[str, Any]:
    """Adds the mean of the loss to the metrics.

    Call it in the context of the model_fn, such as the same replica of a strategy.

    Args:
      metrics: Pairs (value, update op) by name.
      loss: The loss of a batch, a scalar tensor.

    Returns:
      The metrics with "loss".

    Raises:
      ValueError: `metrics` already has the name "loss".
    """
    check_no_loss(metrics)
    return {**metrics, LOSS: tf1.metrics.mean(loss)}


def check_no_loss(metrics: Mapping[str, Any]) -> None:
    """Checks that no metric has the name "loss".

    Args:
      metrics: The metrics by name.

    Raises:
      ValueError: A metric has the name "loss".
    """
    if LOSS in metrics:
        raise ValueError(_TAKEN.format(f'"{LOSS}"'))


def updates_and_values(metrics: Mapping[str, Any]) -> tuple[tf.Operation, dict[str, Any]]:
    """Separates the updates that run for each batch from the values that are read at the end.

    Args:
      metrics: Pairs (value, update op) by name.

    Returns:
      One operation for all updates, and the values by name, sorted by name.
    """
    names = sorted(metrics)
    updates = tf.group(*[tf.nest.flatten(metrics[name][1]) for name in names])
    return updates, {name: metrics[name][0] for name in names}


def with_global_step(values: Mapping[str, Any]) -> dict[str, Any]:
    """Adds the default graph's global step to the values that are read at the end.

    Args:
      values: Tensors by name.

    Returns:
      The values, with "global_step" as the last one.

    Raises:
      ValueError: `values` already has the name "global_step".
    """
    if _GLOBAL_STEP in values:
        raise ValueError(_TAKEN.format(f"`{_GLOBAL_STEP}`"))
    return {**values, _GLOBAL_STEP: tf1.train.get_global_step()}


def with_local_variables(scaffold: Any) -> Any:
    """Returns a scaffold that also initializes the metrics' variables.

    A scaffold with its own `local_init_op` would otherwise leave them uninitialized.

    Args:
      scaffold: A `tf.compat.v1.train.Scaffold`.

    Returns:
      The same scaffold, or a copy with an extended `local_init_op`.
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
    """Runs the updates until a hook stops the session or the input ends, then reads the values.

    Args:
      updates: The operation that runs for each batch.
      values: Tensors to read at the end, by name.
      scaffold: The spec's scaffold.
      hooks: Hooks of the evaluation.
      checkpoint_path: The checkpoint to restore. None initializes the variables.
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
