"""Imports the functions of a user's own job and tries them out in this process.

This happens before any other process starts. It imports TensorFlow. `own_job` has the parts that do
not need it.
"""

from __future__ import annotations

import copy
import inspect
import tempfile
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from benchmarks import ways
from benchmarks.own_jobs import initial_weights, input_probe
from legacy import estimator as tf_estimator
from legacy.estimator import arguments
from migrate import v1_behavior
from migrate.bridge import function_references, run_config
from migrate.bridge.graphs import calling
from migrate.bridge.jobs.job import Job
from migrate.bridge.jobs.port_job import PortJob
from modern.process import cli
from modern.process.chosen_keras import keras

tf1 = tf.compat.v1
_LOSS_RUNS = 4  # Without random numbers, repeated losses of one batch are equal.


class OwnFunctions:
    """The model_fn, the input functions, the params and the port of a job.

    Args:
      own: The job as the flags name it.

    Raises:
      cli.UsageError: A function cannot be imported, or cannot be trained in every way.
    """

    def __init__(self, own: ways.OwnJob) -> None:
        self._own = own
        flags = (own.input_fn, own.eval_input_fn, own.model_params)
        job = Job(own.model_fn, *flags)
        job.batches_in_turn(1, 0, 1)  # Raises for inputs that only an Estimator accepts.
        job.eval_batches(0)
        self._input_fn = function_references.import_function(own.input_fn, "--input_fn")
        self._params = job.params
        self.model_fn = v1_behavior.during(
            function_references.import_function(own.model_fn, "--model_fn")
        )
        self._port_job = PortJob(own.keras_model, *flags) if own.keras_model else None
        self._check_context()

    def _check_context(self) -> None:
        context = inspect.signature(self._input_fn).parameters.get("input_context")
        self.takes_context = context is not None
        if context is not None and context.default is inspect.Parameter.empty:
            raise cli.UsageError(
                f"--input_fn={self._own.input_fn} needs an input_context, which an Estimator gives "
                "only under a strategy: give the argument the default None."
            )

    def _data(self, context: tf.distribute.InputContext | None = None) -> tf.data.Dataset:
        values = {
            "mode": lambda: calling.TRAIN,
            "params": lambda: copy.deepcopy(self._params),
            "config": run_config.RunConfig,
            "input_context": lambda: context,
        }
        with v1_behavior.on():
            return self._input_fn(**arguments.asked_for(self._input_fn, values))

    def sizes(self, steps: int) -> input_probe.Sizes:
        """Counts the examples in the first batches.

        Args:
          steps: Number of batches. A single trainer may need all of them.

        Raises:
          cli.UsageError: The input ends earlier.
        """
        sizes = input_probe.sizes(self._data(), steps)
        if len(sizes.batches) < steps:
            raise cli.UsageError(
                f"--input_fn={self._own.input_fn} ends after {len(sizes.batches)} batches, which "
                f"ends the training of an Estimator, and {steps} are needed (--steps times "
                "--workers): call repeat() in it, or lower --steps."
            )
        return sizes

    def shares(self, steps: int, trainers: int) -> list[input_probe.Sizes]:
        """Counts the examples in the first batches of each trainer's share."""
        contexts = [tf.distribute.InputContext(trainers, i, trainers) for i in range(trainers)]
        return [input_probe.sizes(self._data(context).repeat(), steps) for context in contexts]

    def repetition(self, batches: int) -> input_probe.Repetition:
        """Returns the degree to which two trainings see the same batches."""
        return input_probe.examine(self._data, batches)

    def write_initial_weights(self, prefix: str, seeds: Iterable[int]) -> set[str]:
        """Writes an Estimator's first checkpoint for each seed.

        Args:
          prefix: As for `initial_weights.of_model_fn`.
          seeds: The seeds.

        Returns:
          Names of the trainable variables.
        """
        names: set[str] = set()

        def model_fn(features: Any, labels: Any, mode: str, params: Any, config: Any) -> Any:
            spec = self._spec(features, labels, mode, params, config)
            names.update(variable.op.name for variable in tf1.trainable_variables())
            return spec

        initial_weights.of_model_fn(model_fn, self._params, self._data, prefix, seeds)
        return names

    def _spec(self, features: Any, labels: Any, mode: str, params: Any, config: Any) -> Any:
        values = {
            "labels": lambda: labels,
            "mode": lambda: mode,
            "params": lambda: params,
            "config": lambda: config,
        }
        args = arguments.asked_for(self.model_fn, values)
        spec = self.model_fn(features=features, **args)
        return spec.as_estimator_spec() if hasattr(spec, "as_estimator_spec") else spec

    def first_losses(self) -> tuple[float, ...]:
        """Returns the loss of the first batch at the initial weights, computed several times."""
        hook = _LossOfOneBatch()

        def model_fn(features: Any, labels: Any, mode: str, params: Any, config: Any) -> Any:
            spec = self._spec(features, labels, mode, params, config)
            hook.loss = spec.loss
            return spec

        with tempfile.TemporaryDirectory() as folder:
            config = tf_estimator.RunConfig(folder, tf_random_seed=0, save_summary_steps=10**9)
            estimator = tf_estimator.Estimator(model_fn, config=config, params=self._params)
            estimator.train(lambda: self._data().take(1).cache().repeat(), [hook], steps=1)
        return hook.losses

    def port(self) -> keras.Model:
        """Returns the user's port, with its variables. The job must have one."""
        assert self._port_job is not None
        return self._port_job.port()


class _LossOfOneBatch(tf1.train.SessionRunHook):
    """Computes the loss several times before the first step."""

    loss: Any = None
    losses: tuple[float, ...] = ()

    def before_run(self, run_context: Any) -> None:
        """Computes the losses. The input repeats the same batch."""
        if not self.losses:
            session = run_context.session
            self.losses = tuple(float(session.run(self.loss)) for _ in range(_LOSS_RUNS))
