"""A Keras model that counts the examples it consumes, for every way of training.

>>> from modern.tasks import counted_model
>>> from modern.jobs import linear_regression as job
>>> counters = counted_model.Counters(replicas=1)
>>> model = counted_model.TrainingModel.of(job.build_model(), counters)
>>> model.compile(job.make_optimizer(0.01), job.make_loss())
>>> batches = job.train_input_fn(job.load_data("synthetic"), 32, seed=0)
>>> _ = model.fit(counted_model.tag(batches, 0), steps_per_epoch=5, verbose=0)
>>> int(counters.read().examples[0])
160
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from modern.optimizers import compression, loss_scaling, replica_sums
from modern.optimizers.chosen import Optimizer
from modern.process import chosen_keras
from modern.process.chosen_keras import keras
from modern.records import digests, progress
from modern.training.adapter import ModelAdapter
from modern.training.steps import row_gathering, table_handles

if TYPE_CHECKING or chosen_keras.version() == 2:
    from tf_keras import Model
else:
    from modern.training.keras3_model import Model

_MOST_UNROLLED = 7  # So that 7 steps, a prime number, are one request. 10 are two.
_UNROLLED_UPDATES = 280  # Of variables, in one graph.


@dataclasses.dataclass(frozen=True)
class Count:
    """The examples and losses counted up to one moment.

    Attributes:
      examples: The number of examples that each replica has computed gradients of, (replicas,)
        int64.
      loss_sum: The sum of all their losses, including regularization.
      digests: The digest of each replica's examples, see `digests`. (replicas,) float64.
      steps: The number of steps that these examples are from. Counted only under
        ParameterServerStrategy, where the optimizer's count may be larger, see `uncounted_steps`.
    """

    examples: np.ndarray
    loss_sum: float
    digests: np.ndarray
    steps: int = 0


class Counters:
    """Running totals, which the training step itself updates, not the code that feeds it.

    They are not part of the model: they are not saved, and a resumed run counts from zero. Under
    ParameterServerStrategy create them inside `strategy.scope()`, so that all trainers share them.
    Under other strategies create them outside of it: each process then has its own, with only the
    entries of its own replicas filled.

    Args:
      replicas: The number of replicas of all trainers.
    """

    def __init__(self, replicas: int) -> None:
        self._replicas = replicas
        # A single variable, so that a reader never sees the examples of a step without its loss.
        # float64 represents whole numbers up to 2**53 exactly.
        self._totals = tf.Variable(
            tf.zeros([2 * replicas + 2], tf.float64), trainable=False, name="totals"
        )

    def of_step(
        self,
        replica: tf.Tensor,
        examples: tf.Tensor,
        mean_loss: tf.Tensor,
        digest: tf.Tensor | float = 0.0,
    ) -> tf.Tensor:
        """Returns the counts of a step for `add`, (2 * replicas + 1,) float64.

        Args:
          replica: The index of the replica, int32.
          examples: The number of examples, int32.
          mean_loss: Their mean loss, any float.
          digest: Their digest, float64. 0 where the share of a replica cannot be identified by it.
        """
        examples = tf.cast(examples, tf.float64)
        row = tf.one_hot(replica, self._replicas, dtype=tf.float64)
        loss = tf.cast(mean_loss, tf.float64) * examples
        return tf.concat([row * examples, row * digest, loss[None]], axis=0)

    def add(self, counts: tf.Tensor, steps: int = 0) -> None:
        """Adds the counts of one step, or the sum of several, as `of_step` returns them.

        Args:
          counts: The counts.
          steps: The number of steps that `Count.steps` grows by.
        """
        self._totals.assign_add(tf.concat([counts, tf.constant([steps], tf.float64)], axis=0))

    def read(self) -> Count:
        """Returns the totals. Safe to call from another thread while steps run."""
        totals = self._totals.numpy()
        examples, digests = np.split(totals[:-2], 2)
        return Count(examples.astype(np.int64), float(totals[-2]), digests, int(totals[-1]))


def uncounted_steps(count: Count, samples: progress.Samples) -> int:
    """Returns the number of steps of a training under ParameterServerStrategy that are not counted.

    A worker counts its steps at the end of each execution of `steps_per_execution` steps. If it is
    lost in the middle, the steps that it has made stay in the weights and in the optimizer's count,
    but their examples are not counted. Another worker then makes the whole execution. So each lost
    worker adds up to one execution to the length of the training. To avoid that, each step would
    have to ask a parameter server whether it is still wanted.

    Args:
      count: The totals at the end.
      samples: The samples of the coordinator.
    """
    # A step that the scale of the loss skips is counted here, but not by the optimizer.
    return max(0, samples[-1].step - samples[0].step - count.steps)


def tag(batches: tf.data.Dataset, replica: int | tf.Tensor) -> tf.data.Dataset:
    """Adds the index of its replica to each (features, labels), for `TrainingModel`.

    The index is repeated for each example, (batch,) int32, since TensorFlow's sharding splits every
    component of a batch.
    """
    return batches.map(lambda features, labels: (features, labels, _tags(labels, replica)))


def tag_in_turn(
    batches: tf.data.Dataset, replicas: int, first: int | tf.Tensor = 0
) -> tf.data.Dataset:
    """Adds to each (features, labels) the index of its replica, where replicas take turns.

    Args:
      batches: The batches of a trainer.
      replicas: The number of its replicas.
      first: The index of its first replica among those of all trainers.
    """
    first = tf.cast(first, tf.int64)
    return tf.data.Dataset.zip((batches, tf.data.Dataset.counter())).map(
        lambda batch, number: (*batch, _tags(batch[1], first + number % replicas))
    )


def _tags(labels: Any, replica: int | tf.Tensor) -> tf.Tensor:
    label = tf.nest.flatten(labels)[0]
    replicas = tf.fill(tf.shape(label)[:1], tf.cast(replica, tf.int32))
    return tf.ensure_shape(replicas, label.shape[:1])


def unrolled_steps(steps: int, variables: int) -> int:
    """Returns how many of the steps of an execution a worker under parameter servers unrolls.

    Each request to a worker costs some milliseconds. So a worker unrolls several short steps, see
    `CountingSteps`. Ten were no faster than five, and the first of them came later, because a
    larger graph takes longer to trace and to optimize. A step that updates many variables is long,
    and has a large graph.

    >>> unrolled_steps(10, variables=6), unrolled_steps(10, variables=100)
    (5, 2)

    Args:
      steps: The number of steps of an execution.
      variables: The number of variables that a step updates.

    Returns:
      A divisor of `steps`.
    """
    most = min(_MOST_UNROLLED, max(1, _UNROLLED_UPDATES // max(1, variables)))
    return max(number for number in range(1, min(steps, most) + 1) if steps % number == 0)


class CountingSteps:
    """Mixin for a Keras model whose `train_step` returns counts for `Counters.add`.

    Attributes:
      counters: The counters that add up the steps.
      loss_scale: Scales the loss for float16. None if the loss is not scaled.
      scales_loss: Whether its steps use `loss_scale`.
    """

    counters: Counters
    # Set in each object. Keras does not save an attribute that its class has.
    loss_scale: loss_scaling.LossScale | None
    scales_loss = True

    # Attributes of the Keras model.
    distribute_strategy: tf.distribute.Strategy
    get_metrics_result: Callable[[], dict[str, tf.Tensor]]
    metrics: list[keras.metrics.Metric]
    jit_compile: bool | None
    trainable_variables: list[tf.Variable]
    optimizer: Optimizer
    next_steps: int  # Of Keras 3.
    _steps_per_execution: tf.Variable  # Of tf_keras.
    train_function: Callable[[Any], Any] | None
    train_step: Callable[[Any], tf.Tensor]

    def make_train_function(self, force: bool = False) -> Callable[[Any], Any]:
        """Returns the function that `fit` calls for each execution of `steps_per_execution` steps.

        Unlike Keras' function, it reads the metrics only once per execution. Keras makes
        synchronous workers sum them up over the network in every step.
        """
        if self.train_function and not force:
            return self.train_function
        strategy = self.distribute_strategy
        if isinstance(strategy, tf.distribute.ParameterServerStrategy):
            self.train_function = self._scheduled_steps(strategy)
        else:
            self.train_function = self._called_steps(
                isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy)
            )
        return self.train_function

    def _scheduled_steps(
        self, strategy: tf.distribute.ParameterServerStrategy
    ) -> Callable[[Any], Any]:
        """Returns a function that schedules the steps of an execution on the workers."""
        execute = tf.function(self._execute_by_one_worker)
        coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)

        def run(iterator: Any) -> Any:
            steps = self._steps_of_execution()
            unrolled = unrolled_steps(steps, len(self.trainable_variables))
            for _ in range(steps // unrolled):
                result = coordinator.schedule(execute, args=(iterator, unrolled))
            return result

        return run

    def _called_steps(self, has_workers: bool) -> Callable[[Any], Any]:
        """Returns a function that runs the steps of an execution in this process.

        Args:
          has_workers: Whether other workers train in step with this process.
        """
        execute, execute_one = tf.function(self._execute), tf.function(self._execute_one)
        read_metrics = tf.function(self.get_metrics_result)
        is_loop = None if has_workers else True

        def run(iterator: Any) -> Any:
            nonlocal is_loop
            steps = self._steps_of_execution()
            if is_loop is None:  # Until TensorFlow has traced the loop.
                is_loop = not row_gathering.happens_in(execute, iterator, tf.constant(steps))
            if is_loop:
                return execute(iterator, tf.constant(steps))
            for _ in range(steps):
                execute_one(iterator)
            return read_metrics()

        return run

    def _steps_of_execution(self) -> int:
        """Returns the steps of the next execution. The last one of an epoch may have fewer."""
        if chosen_keras.version() == 3:
            return self.next_steps
        return int(self._steps_per_execution.numpy())

    def _execute(self, iterator: Any, steps: tf.Tensor) -> dict[str, tf.Tensor]:
        """Runs some steps, in this task and in the tasks that train in step with it."""
        for _ in tf.range(steps):
            self._execute_one(iterator)
        return self.get_metrics_result()

    def _execute_one(self, iterator: Any) -> None:
        """Runs a step, and counts its examples."""
        train_step = self._compiled_step()

        def step(data: Any) -> None:
            self.counters.add(train_step(data))

        self.distribute_strategy.run(step, args=(next(iterator),))

    def _execute_by_one_worker(self, iterator: Any, steps: int) -> dict[str, tf.Tensor]:
        """Runs some steps on one worker under ParameterServerStrategy.

        The loop is unrolled. The condition of a tf.while_loop would travel to the parameter servers
        in each step, and so would the counts.
        """
        strategy, step = self.distribute_strategy, self._compiled_step()
        with table_handles.sent_once(tf.compat.v1.get_default_graph()):
            counts = [
                count
                for _ in range(steps)
                for count in strategy.experimental_local_results(
                    strategy.run(step, args=(next(iterator),))
                )
            ]
        self.counters.add(tf.add_n(counts), steps)
        return self.get_metrics_result()

    def _compiled_step(self) -> Callable[[Any], tf.Tensor]:
        """Returns the step, compiled by XLA if `jit_compile` is set."""
        if not self.jit_compile:
            return self.train_step
        return tf.function(self.train_step, jit_compile=True)


class GradientSteps(CountingSteps):
    """Mixin for a Keras model whose counted step computes gradients and applies them.

    Attributes:
      gradient_compression: One of `choices.GRADIENT_COMPRESSIONS`.
    """

    gradient_compression = "none"

    # Methods of the Keras model.
    compute_loss: Callable[..., tf.Tensor]
    note_loss: Callable[[tf.Tensor, tf.Tensor], None]  # Of Keras 3.
    __call__: Callable[..., Any]

    def make_train_function(self, force: bool = False) -> Callable[[Any], Any]:
        """Returns the function that `fit` calls for each execution, see `CountingSteps`."""
        # TensorFlow traces a function twice if the first trace creates variables.
        with self.distribute_strategy.scope():
            if chosen_keras.version() == 3:
                self.optimizer.build(self.trainable_variables)
            else:
                self.optimizer._create_all_weights(self.trainable_variables)
        return super().make_train_function(force)

    def train_step(self, data: tuple[tf.Tensor, tf.Tensor, tf.Tensor]) -> tf.Tensor:
        """Runs one step on a tagged batch and returns its counts for `Counters.add`.

        The loss is the global batch's mean, as Keras scales it.
        """
        features, labels, replica = data
        factor = self.loss_scale.factor() if self.loss_scale else tf.constant(1.0)
        with tf.GradientTape() as tape:
            predictions = tf.nest.map_structure(_in_32_bits, self(features, training=True))
            loss = self.compute_loss(features, labels, predictions)
            scaled_loss = loss * factor if self.loss_scale else loss
        variables = self.trainable_variables
        self._apply(tape.gradient(scaled_loss, variables), variables, factor)
        replicas = self.distribute_strategy.num_replicas_in_sync
        examples = tf.shape(replica)[0]
        if chosen_keras.version() == 3:
            self.note_loss(loss * replicas, examples)
        # Keras has divided the loss by the number of replicas. The counters need this replica's
        # mean.
        digest = self.digest(features, labels)
        return self.counters.of_step(replica[0], examples, loss * replicas, digest)

    def digest(self, features: Any, labels: Any) -> tf.Tensor | float:
        """Returns the digest of a batch, see `digests`."""
        return digests.of_batch(features, labels)

    def _apply(
        self, gradients: list[tf.Tensor], variables: list[tf.Variable], factor: tf.Tensor
    ) -> None:
        dtype = self.gradient_compression
        # With Keras 3, the gradients would pass through the worker once more.
        is_direct = chosen_keras.version() == 2 or not isinstance(
            self.distribute_strategy, tf.distribute.ParameterServerStrategy
        )
        if dtype == "none" and not self.loss_scale and is_direct:
            self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
            return
        # The gradients are summed up here, so the optimizer must not do it again.
        if dtype == "none":
            sums = replica_sums.of(gradients)
        elif isinstance(self.distribute_strategy, tf.distribute.ParameterServerStrategy):
            sums = replica_sums.map_sums(
                lambda sums: compression.send_to_variables(sums, variables, dtype),
                replica_sums.of(gradients),
            )
        else:
            sums = compression.all_reduce(gradients, dtype)
        if self.loss_scale:
            self.loss_scale.apply(self.optimizer, sums, variables, factor)
        else:
            replica_sums.apply(self.optimizer, sums, variables)


def _in_32_bits(prediction: Any) -> Any:
    """Returns a prediction in float32: 16 bits are too few for the sums in a loss."""
    is_short = prediction.dtype in (tf.float16, tf.bfloat16)
    return tf.cast(prediction, tf.float32) if is_short else prediction


class TrainingModel(GradientSteps, Model):
    """A functional model whose training step counts, and compresses gradients if requested."""

    def __init__(
        self,
        inputs: Any,
        outputs: Any,
        counters: Counters,
        gradient_compression: str = "none",
        name: str | None = None,
    ) -> None:
        super().__init__(inputs, outputs, name=name)
        self.counters = counters
        self.loss_scale = None
        self.gradient_compression = gradient_compression

    @classmethod
    def of(
        cls, model: keras.Model, counters: Counters, gradient_compression: str = "none"
    ) -> TrainingModel:
        """Wraps a functional or Sequential model. Both share the layers and thus the weights."""
        # Keras 3 begins the paths of the weights of a Sequential model by the name of the model.
        return cls(model.inputs, model.outputs, counters, gradient_compression, model.name)


class CountedAdapter(ModelAdapter):
    """The adapter of a model that counts its examples.

    Args:
      model: The model, a `CountingSteps`.
      counters: The counters of the model.
    """

    counts_examples = True

    def __init__(self, model: keras.Model, counters: Counters) -> None:
        super().__init__(model)
        self._counters = counters

    def sample(self) -> progress.Sample:
        """Returns a sample of the training now."""
        count = self._counters.read()
        return progress.take(self.step(), count.examples, count.loss_sum, count.digests)

    def has_diverged(self, sample: progress.Sample, logs: Mapping[str, Any] | None) -> bool:
        """Returns whether a loss was NaN. The sum of all losses is NaN from then on."""
        return math.isnan(sample.loss_sum)
