"""Counts the steps and examples of an Estimator's trainer, without changing its model_fn.

    samples = counting.Samples(trainers=3, trainer=1, replicas_each=1)
    estimator = tf_estimator.Estimator(samples.watch(model_fn), ...)

`modern.records.progress` computes throughput and loss curves from `samples.history`.
"""

from __future__ import annotations

import sys
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from legacy.estimator import arguments
from modern.records import digests, progress

_SAMPLE_EVERY_S = 0.05
_PRINT_EVERY_S = 5.0


class Samples:
    """The samples of one trainer's part in one training.

    Args:
      trainers: Number of trainers.
      trainer: Index of this process among the trainers, from 0.
      replicas_each: Number of replicas of each trainer, which are its devices.
      describe: Returns the progress line for a sample and an earlier one. None prints nothing.
      has_shares: If true, computes the digests of the trainer's examples. Their input is then
        (features, labels) of the same number of examples.

    Attributes:
      history: The samples so far, in order. They have the examples of each replica of all trainers.
      parameters: The number of trainable weights. 0 before the model_fn is called.
      batch_size: The number of examples of the first replica in the first step. 0 before it.
    """

    def __init__(
        self,
        trainers: int,
        trainer: int,
        replicas_each: int,
        describe: Callable[[progress.Sample, progress.Sample], str] | None = None,
        has_shares: bool = True,
    ) -> None:
        self.history: list[progress.Sample] = []
        self.parameters = self.batch_size = 0
        self._describe, self._has_shares = describe, has_shares
        self._replicas, self._first_replica = trainers * replicas_each, trainer * replicas_each
        self._examples, self._digests = [0] * self._replicas, [0.0] * self._replicas
        self._loss_sum = 0.0
        # The tensors to count, one dict for each replica. The hooks of all replicas share them.
        self._replicas_by_graph: weakref.WeakKeyDictionary[tf.Graph, list[dict[str, tf.Tensor]]]
        self._replicas_by_graph = weakref.WeakKeyDictionary()
        self._printed_sample: progress.Sample | None = None

    def watch(self, model_fn: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a model_fn that takes any arguments, with a hook that counts training steps."""

        def counting_model_fn(
            features: Any, labels: Any, mode: str, params: Any, config: Any
        ) -> tf_estimator.EstimatorSpec:
            argument_values = {
                "labels": lambda: labels,
                "mode": lambda: mode,
                "params": lambda: params,
                "config": lambda: config,
            }
            spec = model_fn(features=features, **arguments.asked_for(model_fn, argument_values))
            if hasattr(spec, "as_estimator_spec"):
                spec = spec.as_estimator_spec()
            variables = tf.trainable_variables()
            self.parameters = sum(variable.shape.num_elements() for variable in variables)
            if mode != tf_estimator.ModeKeys.TRAIN:
                return spec
            digest = digests.of_batch(features, labels) if self._has_shares else tf.constant(0.0)
            # A strategy calls the model_fn for each replica, and keeps the hooks of the first one.
            replicas = self._replicas_by_graph.setdefault(tf.get_default_graph(), [])
            replicas.append(
                {"loss": spec.loss, "examples": _examples_in(features, labels), "digest": digest}
            )
            hook = _CountingHook(self, replicas)
            return spec._replace(training_hooks=[*spec.training_hooks, hook])

        return counting_model_fn

    def begin(self, step: int) -> None:
        """Takes a sample before the first step. Does nothing if there is a sample already."""
        if not self.history:
            self._take(step)

    def add(self, step: int, of_replicas: Sequence[Mapping[str, Any]]) -> None:
        """Counts one step. Takes samples and prints progress at intervals.

        Args:
          step: The global step.
          of_replicas: For each replica of this trainer, the number of its "examples", their
            "digest", and the mean "loss" over them.
        """
        for index, values in enumerate(of_replicas, self._first_replica):
            self._examples[index] += int(values["examples"])
            self._digests[index] += float(values["digest"])
            self._loss_sum += int(values["examples"]) * float(values["loss"])
        self.batch_size = self.batch_size or self._examples[self._first_replica]
        # The first step is always sampled, because `progress.first_step_time` needs it.
        if time.time() - self.history[-1].time >= _SAMPLE_EVERY_S or len(self.history) == 1:
            self._take(step)
            self._print()

    def end(self, step: int) -> None:
        """Takes the last sample."""
        self._take(step)

    def _take(self, step: int) -> None:
        self.history.append(progress.take(step, self._examples, self._loss_sum, self._digests))

    def _print(self) -> None:
        sample = self.history[-1]
        self._printed_sample = self._printed_sample or self.history[0]
        if self._describe and sample.time - self._printed_sample.time >= _PRINT_EVERY_S:
            print(self._describe(sample, self._printed_sample), file=sys.stderr, flush=True)
            self._printed_sample = sample


def _examples_in(features: Any, labels: Any) -> tf.Tensor:
    """Returns the number of examples in a batch: the first dimension of its first dense part."""
    parts = [*tf.nest.flatten(labels), *tf.nest.flatten(features)]
    for part in parts:
        if isinstance(part, tf.Tensor):
            return tf.shape(part)[0]
    # All parts are sparse.
    return next(part for part in parts if part is not None).dense_shape[0]


class _CountingHook(tf.train.SessionRunHook):
    """Counts the examples of each step after it has run."""

    def __init__(self, samples: Samples, of_replicas: list[dict[str, tf.Tensor]]) -> None:
        self._samples = samples
        self._fetches: dict[str, Any] = {"replicas": of_replicas}
        self._step = None

    def begin(self) -> None:
        self._fetches["step"] = tf.train.get_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        del coord
        self._samples.begin(session.run(self._fetches["step"]))

    def before_run(self, run_context: Any) -> tf.train.SessionRunArgs:
        return tf.train.SessionRunArgs(self._fetches)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        values = run_values.results
        self._step = int(values["step"])
        self._samples.add(self._step, values["replicas"])

    def end(self, session: Any) -> None:
        self._samples.end(session.run(self._fetches["step"]))
