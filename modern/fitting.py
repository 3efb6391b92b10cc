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
from collections.abc import Callable, Iterator, Sequence
from typing import Any

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


class SaveAndStop(tf_keras.callbacks.Callback):
    """Saves by the rule and stops after an interruption, on all workers at the same step."""

    def __init__(
        self, checkpoints: Checkpoints, rule: SaveRule, interruption: Interruption
    ) -> None:
        super().__init__()
        self._checkpoints, self._rule, self._interruption = checkpoints, rule, interruption
        self._executions = 0

    def on_train_batch_end(self, batch: int, logs: dict | None = None) -> None:
        """Called after each execution of `steps_per_execution` steps."""
        if self._executions == 0:
            runtime.keep_large_buffers()  # TensorFlow undoes it when it makes the iterator
        self._executions += 1
        step = int(self.model.optimizer.iterations.numpy())
        save_now, stop_now = self._rule.due_by_step(step), False
        if self._one_process or self._executions % _AGREE_EVERY == 0:
            by_time, stop_now = self._agreed(
                self._rule.due_by_time(), bool(self._interruption.signum)
            )
            save_now = save_now or by_time
        if save_now:
            self._checkpoints.save()
            self._rule.saved(step)
        self.model.stop_training = self.model.stop_training or stop_now

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
    ended: list[bool] = []

    def read() -> progress.Sample:
        count = counters.read()
        step = model.optimizer.iterations.numpy()
        return progress.take(step, count.examples, count.loss_sum)

    def save_beside(sample: progress.Sample) -> None:
        if rule.due_by_step(sample.step) or rule.due_by_time():
            checkpoints.save()
            rule.saved(sample.step)
        if interruption.signum and not ended:
            ended.append(True)
            os.kill(os.getpid(), signal.SIGINT)  # ends the coordinator's wait for its workers

    monitor = progress.Monitor(
        read,
        progress.describe(name, plan.train_steps, tasks) if name else None,
        save_beside if coordinates else None,
    )
    if not coordinates:
        sample = tf_keras.callbacks.LambdaCallback(
            on_train_batch_end=lambda batch, logs: monitor.sample()
        )
        callbacks = [*callbacks, sample, SaveAndStop(checkpoints, rule, interruption)]
    with monitor, interruption.watched():
        try:
            step = start
            for initial_epoch, epochs, steps in plan.segments(start):
                model.fit(
                    batches(step),
                    initial_epoch=initial_epoch,
                    epochs=epochs,
                    steps_per_epoch=steps,
                    callbacks=list(callbacks),
                    verbose=0,
                )
                if model.stop_training:
                    break
                step += (epochs - initial_epoch) * steps
        except KeyboardInterrupt:
            if not interruption.signum:
                raise
    checkpoints.save()
    return monitor.samples, interruption.exit_code if interruption.signum else 0
