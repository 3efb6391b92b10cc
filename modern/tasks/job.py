"""The jobs that the engine trains: a documented job, or a user's own.

    job = DocumentedJob(modern.jobs.mnist_cnn, arrays, options)
    model = job.training_model(counters, replicas=2)

`migrate.bridge.jobs.job` has the classes for a user's own jobs: a model_fn, or a Keras model.
"""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any, Protocol, TypeVar, runtime_checkable

import tensorflow as tf

from modern import data
from modern.model_files import weights
from modern.optimizers import schedules
from modern.process import chosen_keras
from modern.process.chosen_keras import keras
from modern.tasks import counted_batches, counted_model, precision, prepared_features

# The model that a job trains.
Model = TypeVar("Model", bound=counted_model.CountingSteps)


class Job(Protocol[Model]):
    """A job, as the training engine uses it.

    Attributes:
      name: The name for progress lines and result.json.
      dataset: The name of its data.
      best: Its best possible metrics, if known.
    """

    name: str
    dataset: str
    best: Any

    def batch_size(self) -> int:
        """Returns the number of examples in a replica's batch. Called in the strategy's scope."""

    def examples(self) -> int:
        """Returns the number of training examples, or 0 if it is unknown."""

    def training_model(
        self, counters: counted_model.Counters, replicas: int, **options: Any
    ) -> Model:
        """Returns the compiled model that trains. Called in the strategy's scope.

        Args:
          counters: The counters of its examples.
          replicas: The number of replicas of all trainers.
          **options: Arguments of `keras.Model.compile` for the execution of steps.
        """

    def load_initial(self, model: Model, prefix: str) -> None:
        """Loads initial weights from a name-based checkpoint."""

    def train_batches(
        self, batch_size: int, seed: int, replicas: int, replica: Any, first_step: int
    ) -> tf.data.Dataset:
        """Returns the endless batches of one replica.

        Args:
          batch_size: Examples in a batch.
          seed: The seed of the training.
          replicas: The number of replicas of all trainers.
          replica: The index of this one. A tensor under ParameterServerStrategy.
          first_step: The step at which this process begins the training.
        """

    def evaluation_model(self) -> keras.Model:
        """Returns a compiled model for evaluation and export, without a strategy."""

    def eval_batches(self, batch_size: int) -> tf.data.Dataset:
        """Returns the batches for evaluation."""


@runtime_checkable
class InputInTurn(Protocol):
    """A job whose trainers read one input each, and whose replicas take its batches in turn.

    An Estimator read its input_fn in this way. With other jobs, each replica has its own share.
    """

    def batches_in_turn(self, trainers: int, trainer: Any, in_sync: int) -> tf.data.Dataset:
        """Returns the endless batches of one trainer.

        Args:
          trainers: The number of trainers.
          trainer: The index of this one. A tensor under ParameterServerStrategy.
          in_sync: The number of replicas that take a step together.
        """


@runtime_checkable
class CheckedFirst(Protocol):
    """A job whose evaluation and export may be impossible."""

    def check_first(self, exports: bool) -> None:
        """Reports before the first step what would fail after the last one.

        Args:
          exports: Whether the model will be exported.

        Raises:
          cli.UsageError: The model cannot be evaluated.
        """


@dataclasses.dataclass(frozen=True)
class LearningRate:
    """The learning rate of a documented job, from the flags.

    Attributes:
      base: The rate for the batch of one replica. None uses the job's own.
      is_scaled: Whether it is multiplied by the number of replicas.
      warmup_steps: The number of steps until the scaled rate is reached.
      decay: "linear" if it falls to zero at the end, or "none".
      train_steps: The step at which the training ends.
    """

    base: float | None = None
    is_scaled: bool = False
    warmup_steps: int = 0
    decay: str = "none"
    train_steps: int = 0

    def of(
        self, job: ModuleType, replicas: int
    ) -> float | keras.optimizers.schedules.LearningRateSchedule:
        """Returns the rate, or its schedule, for a job and the replicas of all trainers."""
        base = job.LEARNING_RATE if self.base is None else self.base
        rate = job.make_learning_rate(schedules.scale(base, replicas) if self.is_scaled else base)
        if self.warmup_steps:
            rate = schedules.WarmUp(rate, base, self.warmup_steps)
        if self.decay == "linear":
            rate = schedules.LinearDecay(rate, self.train_steps)
        return rate


class DocumentedJob:
    """A job of `modern.jobs`.

    Args:
      module: The module of the job.
      arrays: Its data.
      learning_rate: Its learning rate.
      gradient_compression: The compression of gradients, one of
        `choices.GRADIENT_COMPRESSIONS`.
      batch_size: Examples per replica and step. None uses the job's own.
      mixed_precision: The precision of the training, one of `choices.PRECISIONS`. Evaluation and
        export compute in float32.
    """

    def __init__(
        self,
        module: ModuleType,
        arrays: data.ArrayDataset,
        learning_rate: LearningRate,
        gradient_compression: str = "none",
        batch_size: int | None = None,
        mixed_precision: str = "none",
    ) -> None:
        self.name = module.__name__.rpartition(".")[2]
        self.dataset, self.best = arrays.name, arrays.best
        self._module, self._arrays = module, arrays
        self._learning_rate, self._compression = learning_rate, gradient_compression
        self._batch_size, self._mixed_precision = batch_size, mixed_precision

    def batch_size(self) -> int:
        """See `Job`."""
        return self._batch_size or self._module.BATCH_SIZE

    def examples(self) -> int:
        """See `Job`."""
        return len(self._arrays.train_labels)

    def training_model(
        self, counters: counted_model.Counters, replicas: int, **options: Any
    ) -> counted_model.TrainingModel | counted_batches.TrainingModel:
        """See `Job`."""
        with precision.of_layers(self._mixed_precision):
            plain = self._model()
        model: Any
        if chosen_keras.is_on_tensorflow():
            model = counted_model.TrainingModel.of(plain, counters, self._compression)
        else:
            model = counted_batches.TrainingModel.of(plain, counters)
            options = {}  # They are about the execution of TensorFlow's graphs.
        optimizer = self._module.make_optimizer(self._learning_rate.of(self._module, replicas))
        if chosen_keras.version() == 3:
            options["auto_scale_loss"] = False  # `loss_scaling.LossScale` does it, if needed.
        model.compile(optimizer, self._module.make_loss(), **options)
        return model

    def _model(self) -> keras.Model:
        if chosen_keras.is_on_tensorflow():
            return self._module.build_model()
        return prepared_features.model(self._module, self.eval_batches(1))

    def load_initial(self, model: counted_model.TrainingModel, prefix: str) -> None:
        """See `Job`."""
        weights.load_into(model, prefix)

    def train_batches(
        self, batch_size: int, seed: int, replicas: int, replica: Any, first_step: int
    ) -> tf.data.Dataset:
        """See `Job`."""
        # A continued training reads the batches that an uninterrupted one would have read.
        return self._prepared(
            self._module.train_input_fn(
                self._arrays, batch_size, seed, replicas, replica, first_step
            )
        )

    def _prepared(self, batches: tf.data.Dataset) -> tf.data.Dataset:
        if chosen_keras.is_on_tensorflow():
            return batches
        return prepared_features.of(self._module, batches)

    def evaluation_model(self) -> keras.Model:
        """See `Job`."""
        model = self._model()
        model.compile(loss=self._module.make_loss(), metrics=self._module.make_metrics())
        return model

    def eval_batches(self, batch_size: int) -> tf.data.Dataset:
        """See `Job`."""
        return self._prepared(self._module.eval_input_fn(self._arrays, batch_size))
