"""Job that trains a model_fn on its input_fn with the training engine.

    python -m migrate train --model_fn=package.module:model_fn --input_fn=package.module:input_fn

--init_checkpoint begins with the weights of an Estimator.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from absl import logging

from migrate.bridge.errors import BridgeError
from migrate.bridge.graphs import calling
from migrate.bridge.jobs.input_functions import InputFunctions
from migrate.bridge.model import KerasModelFn
from migrate.bridge.model_files import exports as export_files
from modern.tasks import counted_model, precision


class Job(InputFunctions):
    """Implements `modern.tasks.job.Job` for a model_fn. Takes the arguments of `InputFunctions`."""

    MODEL_FLAG = "--model_fn"

    def training_model(
        self, counters: counted_model.Counters, replicas: int, **options: Any
    ) -> CountingModelFn:
        """Returns the model to train, with its variables. Call it in the strategy's scope."""
        del replicas
        # A model_fn does not know of precision.
        precision.rewrite_graphs(self.mixed_precision)
        model = CountingModelFn(self._function, self.params or None)
        model.counters = counters
        in_sync = model.distribute_strategy.num_replicas_in_sync
        description = self.describe(calling.TRAIN, lambda: self.batches_in_turn(1, 0, in_sync))
        model.build_on(description, mode=calling.TRAIN)
        model.compile(**options)
        return model

    def evaluation_model(self) -> KerasModelFn:
        """Returns a model to evaluate and to export, with its variables."""
        model = KerasModelFn(self._function, self.params or None)
        description = self.describe(calling.EVAL, lambda: self.data_of(calling.EVAL))
        model.build_on(description, mode=calling.EVAL)
        return model

    def check_first(self, exports: bool) -> None:
        """Checks the evaluation and the export at the end. See `CheckedFirst`."""
        super().check_first(exports)
        try:
            model = self.evaluation_model()
        except BridgeError:
            raise
        except Exception as error:  # A model_fn that was never evaluated can raise any error.
            raise BridgeError(
                "in mode 'eval', which the evaluation after the training needs, model_fn raised "
                f"{type(error).__name__}: {error}"
            ) from error
        if exports:
            try:
                export_files.check(model)
            except BridgeError as error:
                logging.warning("Nothing will be exported (--noexport asks for nothing): %s", error)

    def load_initial(self, model: CountingModelFn, prefix: str) -> None:
        """Loads an Estimator's checkpoint into a training model, for --init_checkpoint."""
        model.load_estimator_checkpoint(prefix)


class CountingModelFn(counted_model.CountingSteps, KerasModelFn):
    """Bridged model that counts its examples for the training engine."""

    def why_no_hooks(self) -> str:
        """Returns the reason why a program's own hooks do not run."""
        return (
            "migrate train runs many steps in one graph call: remove them from the EstimatorSpec, "
            "or train in your own program with bridge.KerasModelFn"
        )

    def train_step(self, data: Any) -> tf.Tensor:
        """Trains on a tagged batch, and returns the step in the form that `Counters.add` takes."""
        features, labels, replica = data
        loss = self.traced_step(features, labels).loss
        return self.counters.of_step(replica[0], tf.shape(replica)[0], loss)
