"""Evaluates: runs the metrics of an EstimatorSpec over the input and writes what comes out.

`Estimator.evaluate` builds the graph and calls `run` inside it; see there for a runnable example.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

if TYPE_CHECKING:
    from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_LOSS = "loss"
_GLOBAL_STEP = tf1.GraphKeys.GLOBAL_STEP


class _StopAfterHook(tf1.train.SessionRunHook):
    """Stops after so many batches, and says how far it is about ten times."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._every = math.ceil(steps / 10)
        self._done = 0

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self._done += 1
        if self._done % self._every == 0 or self._done == self._steps:
            tf1.logging.info("Evaluation [%d/%d]", self._done, self._steps)
        if self._done >= self._steps:
            run_context.request_stop()


def with_loss(spec: EstimatorSpec) -> EstimatorSpec:
    """Adds the mean of the loss to a spec's metrics. Called where the model function was called.

    Args:
      spec: What the model function returned for mode EVAL.

    Returns:
      The spec with the metric "loss".

    Raises:
      ValueError: It has a metric "loss" or "global_step" of its own.
    """
    for name in (_LOSS, _GLOBAL_STEP):
        if name in spec.eval_metric_ops:
            raise ValueError(
                f'Metric with name "{name}" is not allowed, because Estimator already defines a '
                "default metric with the same name."
            )
    metrics = {**spec.eval_metric_ops, _LOSS: tf1.metrics.mean(spec.loss)}
    return spec._replace(eval_metric_ops=metrics)


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


def run(
    metrics: dict[str, Any],
    scaffold: Any,
    hooks: list[Any],
    *,
    checkpoint_path: str | None,
    master: str,
    session_config: Any,
) -> dict[str, Any]:
    """Runs all update operations until a hook stops it or the input ends, then reads the values.

    Args:
      metrics: By name, (value, update op).
      scaffold: The spec's scaffold.
      hooks: Hooks of the evaluation.
      checkpoint_path: What to restore; None initializes the variables.
      master: The session target.
      session_config: The session's ConfigProto.

    Returns:
      The values by name, as NumPy scalars or arrays, with "global_step".
    """
    updates = tf.group(*[tf.nest.flatten(update) for _, update in metrics.values()])
    values = {name: value for name, (value, _) in metrics.items()}
    values[_GLOBAL_STEP] = tf1.train.get_global_step()
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


def write_results(results: dict[str, Any], output_dir: str, checkpoint_path: str | None) -> None:
    """Writes an evaluation to its event file, with the checkpoint's path.

    Args:
      results: What `run` returned.
      output_dir: The folder of the event file.
      checkpoint_path: The checkpoint; None where the variables were initialized.
    """
    step = results[_GLOBAL_STEP]
    described = ", ".join(f"{name} = {value!s}" for name, value in sorted(results.items()))
    tf1.logging.info("Saving dict for global step %d: %s", step, described)
    # The cache keeps one event file for all evaluations of a process.
    writer = tf1.summary.FileWriterCache.get(output_dir)
    summary = tf1.Summary()
    for name, value in sorted(results.items()):
        if name != _GLOBAL_STEP and value is not None:
            _add_value(summary, name, value)
    writer.add_summary(summary, step)
    if checkpoint_path is not None:
        tf1.logging.info(
            "Saving 'checkpoint_path' summary for global step %d: %s", step, checkpoint_path
        )
        tensor = tf1.make_tensor_proto(checkpoint_path, dtype=tf.string)
        path = tf1.Summary(value=[tf1.Summary.Value(tag="checkpoint_path", tensor=tensor)])
        writer.add_summary(path, step)
    writer.flush()


def _add_value(summary: Any, name: str, value: Any) -> None:
    if isinstance(value, bytes):
        try:
            parsed = tf1.Summary.FromString(value)
        except Exception:  # protobuf's DecodeError is not part of TensorFlow's API.
            parsed = tf1.Summary()
        for i, item in enumerate(parsed.value):
            item.tag = f"{name}/{i}"
            summary.value.append(item)
    elif np.ndim(value) == 0 and np.issubdtype(np.asarray(value).dtype, np.number):
        summary.value.add(tag=name, simple_value=float(value))
    elif np.issubdtype(np.asarray(value).dtype, np.number):
        summary.value.add(tag=name, tensor=tf1.make_tensor_proto(value))
    else:
        tf1.logging.warning(
            "Skipping summary for %s, must be a number, an array or a serialized Summary.", name
        )
