"""One training with `model.fit`: restored, sampled, saved on the way and when interrupted.

The parts of a training that are the same for every job and strategy; `modern/train.py` says which.
Under ParameterServerStrategy the coordinator only schedules steps, and Keras allows no per-step
callbacks; there the monitor's thread saves, as an Estimator's chief did beside its workers.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import tensorflow as tf
import tf_keras

from modern import progress, runtime
from modern.checkpoints import Checkpoints, SaveRule
from modern.training_model import Counters

# Executions between two moments at which workers agree whether to save or stop, which costs an all-
# reduce of two numbers.
_AGREE_EVERY = 10


@dataclasses.dataclass
class Interruption:
    """Whether Ctrl-C or SIGTERM has come; the first is noted, a second one acts at once."""

    signum: int = 0

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Notes the signals while the block runs."""

        def note(signum: int, _: Any) -> None:
            self.signum = signum
            for number in before:
                signal.signal(number, before[number])

        before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
        for number in before:
            signal.signal(number, note)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @property
    def exit_code(self) -> int:
        """128 + the signal's number, as shells report it."""
        return 128 + self.signum


class Saves(Protocol):
    """What saves now and then."""

    def due_by_step(self, step: int) -> bool:
        """Whether the step says so; the same on every worker."""

    def due_by_time(self) -> bool:
        """Whether the time says so; workers may differ."""

    def save(self, step: int) -> None:
        """Saves; all workers of a ring do, at the same step."""


class Stops(Protocol):
    """What may wish that the training ends."""

    def due_by_step(self, step: int) -> bool:
        """Whether it is to be asked at this step in any case; the same on every worker."""

    def wishes(self, step: int) -> bool:
        """Whether it wishes so; workers may differ."""


@dataclasses.dataclass
class ByRule:
    """Saves checkpoints by a rule."""

    checkpoints: Checkpoints
    rule: SaveRule

    def due_by_step(self, step: int) -> bool:
        """As `Saves`."""
        return self.rule.due_by_step(step)

    def due_by_time(self) -> bool:
        """As `Saves`."""
        return self.rule.due_by_time()

    def save(self, step: int) -> None:
        """As `Saves`."""
        self.checkpoints.save()
        self.rule.saved(step)


def steps_of(model: tf_keras.Model) -> int:
    """Returns the steps that a model has been trained for."""
    return int(model.optimizer.iterations.numpy())


class BetweenSteps(tf_keras.callbacks.Callback):
    """Saves when it is due and stops when it is wished, on all workers at the same step.

    Under ParameterServerStrategy, where Keras has no callbacks at single steps, `beside` does it
    from another thread.

    Args:
      interruption: ends the training, too.
      saves: what saves.
      stops: what may end the training.
      step: the step that a model is at.
    """

    def __init__(
        self,
        interruption: Interruption,
        saves: Sequence[Saves],
        stops: Sequence[Stops] = (),
        step: Callable[[tf_keras.Model], int] = steps_of,
    ) -> None:
        super().__init__()
        self._interruption, self._saves, self._stops = interruption, saves, stops
        self._step, self._executions, self._ended = step, 0, False
        self.stopped = False  # By a wish, which `fit` forgets where it begins.

    def on_train_batch_end(self, batch: int, logs: dict | None = None) -> None:
        """Called after each execution of `steps_per_execution` steps."""
        if self._executions == 0:
            runtime.keep_large_buffers()  # TensorFlow undoes it when it makes the iterator
        self._executions += 1
        step = self._step(self.model)
        due = [one.due_by_step(step) for one in self._saves]
        # Of another callback; in a ring none stops alone.
        self.stopped = self.stopped or self.model.stop_training
        stop_now = self.stopped and self._one_process
        if self._one_process or self._executions % _AGREE_EVERY == 0 or self._asked_at(step):
            *by_time, interrupted, stop_now = self._agreed(
                *(one.due_by_time() for one in self._saves),
                bool(self._interruption.signum),
                self._stop_is_wished(step),
            )
            due = [a or b for a, b in zip(due, by_time, strict=True)]
            if interrupted and not self._interruption.signum:
                self._interruption.signum = signal.SIGTERM  # It came to another worker.
            stop_now = stop_now or interrupted
        for one, is_due in zip(self._saves, due, strict=True):
            if is_due:
                one.save(step)
        self.model.stop_training = stop_now

    def beside(self, model: tf_keras.Model, step: int) -> None:
        """The same for a coordinator, from a thread; an interruption ends its wait for workers.

        Args:
          model: what is trained; the training ends with the epoch where that is wished.
          step: the step that it is at.
        """
        for one in self._saves:
            if one.due_by_step(step) or one.due_by_time():
                one.save(step)
        if any(one.wishes(step) for one in self._stops):
            self.stop(model)
        if self._interruption.signum and not self._ended:
            self._ended = True
            os.kill(os.getpid(), signal.SIGINT)

    def stop(self, model: tf_keras.Model) -> None:
        """Has a training end; `again` says it once more where `fit` has forgotten it."""
        self.stopped = model.stop_training = True

    def again(self) -> tf_keras.callbacks.Callback:
        """Returns a callback that ends an epoch where the end was wished before it began."""

        def on_epoch_begin(epoch: int, logs: Any) -> None:
            callback.model.stop_training = callback.model.stop_training or self.stopped

        callback = tf_keras.callbacks.LambdaCallback(on_epoch_begin=on_epoch_begin)
        return callback

    def _asked_at(self, step: int) -> bool:
        return any(one.due_by_step(step) for one in self._stops)

    def _stop_is_wished(self, step: int) -> bool:
        return self.stopped or any(one.wishes(step) for one in self._stops)

    @property
    def _one_process(self) -> bool:
        strategy = self.model.distribute_strategy
        return not isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy)

    def _agreed(self, *wishes: bool) -> tuple[bool, ...]:
        """What any worker wishes."""
        if self._one_process:
            return wishes
        sums = self._sum_over_workers(tf.constant([float(wish) for wish in wishes]))
        return tuple(bool(total > 0) for total in sums.numpy())

    @tf.function
    def _sum_over_workers(self, wished: tf.Tensor) -> tf.Tensor:
        strategy = self.model.distribute_strategy
        sums = strategy.run(lambda: tf.identity(wished))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, sums, axis=None)


def run(
    model: tf_keras.Model,
    fits: Iterable[dict[str, Any]],
    interruption: Interruption,
    monitor: contextlib.AbstractContextManager[Any],
) -> None:
    """Calls `fit`, until it is told to stop; an interruption ends the wait of a coordinator.

    Args:
      model: compiled.
      fits: the arguments of each call.
      interruption: what notes the signals; afterwards it says whether there was one.
      monitor: what is entered meanwhile.
    """
    with monitor, interruption.watched():
        try:
            for arguments in fits:
                model.fit(**arguments)
                if model.stop_training:
                    break
        except KeyboardInterrupt:
            # A coordinator's wait is ended by it; elsewhere it is the second one, and acts at once.
            servers = tf.distribute.ParameterServerStrategy
            if not (interruption.signum and isinstance(model.distribute_strategy, servers)):
                raise


@dataclasses.dataclass(frozen=True)
class Plan:
    """How long to train, in global steps."""

    train_steps: int
    steps_per_epoch: int

    def segments(self, start: int) -> list[tuple[int, int, int]]:
        """The calls of `fit` from a step on: (initial epoch, epochs, steps per epoch).

        A start or an end within an epoch makes a shorter epoch of its own.
        """
        calls, step = [], start
        while step < self.train_steps:
            epoch, within = divmod(step, self.steps_per_epoch)
            whole = (self.train_steps - step) // self.steps_per_epoch
            if within or not whole:
                steps = min(self.steps_per_epoch - within, self.train_steps - step)
                calls.append((epoch, epoch + 1, steps))
                step += steps
            else:
                calls.append((epoch, epoch + whole, self.steps_per_epoch))
                step += whole * self.steps_per_epoch
        return calls


def fit(
    model: tf_keras.Model,
    batches: Callable[[int], Any],
    counters: Counters,
    plan: Plan,
    checkpoints: Checkpoints,
    rule: SaveRule,
    callbacks: Sequence[tf_keras.callbacks.Callback] = (),
    name: str | None = None,
    tasks: int = 1,
) -> tuple[list[progress.Sample], int]:
    """Trains from the restored step to the plan's end.

    Args:
      model: compiled.
      batches: makes the data from a global step on, as `strategies.distribute` does, tagged.
      counters: the model's.
      plan: how long.
      checkpoints: of this training; restored already.
      rule: when to save on the way. The end is saved in any case.
      callbacks: further ones, for `fit`.
      name: for the progress line; None prints none.
      tasks: how many tasks train in step with this one, itself included.

    Returns:
      The samples taken, and an exit code: 0, or 130 or 143 after an interruption, at which the
        state was saved.
    """
    interruption = Interruption()
    coordinates = isinstance(model.distribute_strategy, tf.distribute.ParameterServerStrategy)
    start = int(model.optimizer.iterations.numpy())
    rule.saved(start)
    between = BetweenSteps(interruption, [ByRule(checkpoints, rule)])

    def read() -> progress.Sample:
        count = counters.read()
        step = model.optimizer.iterations.numpy()
        return progress.take(step, count.examples, count.loss_sum, count.digests)

    monitor = progress.Monitor(
        read,
        progress.describe(name, plan.train_steps, tasks) if name else None,
        (lambda sample: between.beside(model, sample.step)) if coordinates else None,
    )
    if not coordinates:
        sample = tf_keras.callbacks.LambdaCallback(
            on_train_batch_end=lambda batch, logs: monitor.sample()
        )
        callbacks = [*callbacks, sample, between]

    def fits() -> Iterator[dict[str, Any]]:
        step = start
        for initial_epoch, epochs, steps in plan.segments(start):
            yield {
                "x": batches(step),
                "initial_epoch": initial_epoch,
                "epochs": epochs,
                "steps_per_epoch": steps,
                "callbacks": [*callbacks],
                "verbose": 0,
            }
            step += (epochs - initial_epoch) * steps

    run(model, fits(), interruption, monitor)
    checkpoints.save()
    return monitor.samples, interruption.exit_code if interruption.signum else 0
