"""The training engine, which trains any Keras model under any strategy.

    trainer = Trainer(Config(model_dir="model_dir", max_steps=1000), ModelAdapter(model))
    outcome = trainer.train(FromStart(make_data, model.distribute_strategy))

`modern.train` uses it for the documented jobs, `modern.porting` for ported programs, and
`migrate.bridge` for a model_fn. All of them get the same guarantees:

- The training is saved by its rule and at its end. A failed save is retried.
- SIGTERM and Ctrl-C end it at a whole step with a checkpoint.
- A loss of NaN ends it, and the last good checkpoint stays the latest.
- Tasks that do not answer are named. A training without steps ends after a while.
- All workers begin at the same step, and save and stop at the same step.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import tensorflow as tf

from modern.model_files.errors import CheckpointError
from modern.process import cli, log_filters
from modern.process.chosen_keras import keras, tf_variable
from modern.records import progress
from modern.training import seeds, server_layout, stalls
from modern.training.adapter import Backups, Files, ModelAdapter
from modern.training.agreement import Agreement
from modern.training.between_steps import BetweenSteps
from modern.training.interruption import Interruption
from modern.training.saving import SaveError, Saver, SaveRule
from modern.training.steps import fast_steps
from modern.training.stopping import DivergedError, Stop, has_nan_weights


class Input(Protocol):
    """The data of a training, as calls of `fit`."""

    def fits(
        self, start: int, max_steps: int | None
    ) -> contextlib.AbstractContextManager[Iterable[dict[str, Any]]]:
        """Returns a context in which the calls can be made, and the arguments of each call.

        Args:
          start: The step at which the training begins.
          max_steps: The step at which it ends. None if the data end it.
        """


@dataclasses.dataclass
class Saving:
    """A series of checkpoints of a training.

    Attributes:
      files: The checkpoints.
      rule: Decides when a checkpoint is due.
      at_start: Whether the start of the training is saved, too, as an Estimator did.
      is_backup: Whether it is removed once the end of the training is saved in another series. Its
        files are then `Backups`.
      after_save: Called with the step of each new checkpoint.
    """

    files: Files
    rule: SaveRule
    at_start: bool = False
    is_backup: bool = False
    after_save: Callable[[int], None] | None = None


@dataclasses.dataclass
class Config:
    """The configuration of a training, independent of the model.

    Attributes:
      max_steps: The step at which it ends. None if its data end it.
      saves: The series of checkpoints to write.
      stops: Objects that may request the end, such as early stopping.
      callbacks: Additional callbacks for `fit`.
      fails_at_nan: Whether a loss of NaN raises DivergedError. If false, the training ends quietly.
      stall_timeout: Seconds without a step after which the training ends. 0 sets no limit.
      describe: Returns a progress line for a sample and the one before. None prints no lines.
      verbose: As `fit` takes it.
    """

    max_steps: int | None
    saves: Sequence[Saving] = ()
    stops: Sequence[Stop] = ()
    callbacks: Sequence[keras.callbacks.Callback] = ()
    fails_at_nan: bool = True
    stall_timeout: float = stalls.STALL_TIMEOUT_S
    describe: Callable[[progress.Sample, progress.Sample], str] | None = None
    verbose: int = 0


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The outcome of a training.

    Attributes:
      samples: The samples taken during the training.
      exit_code: 0, or 130 or 143 after a signal, as shells report it.
      has_trained: Whether any step was left to train.
    """

    samples: list[progress.Sample]
    exit_code: int
    has_trained: bool = True


class Trainer:
    """Trains a model to its last step, to the end of its data, or until a signal.

    Args:
      config: The configuration of the training.
      adapter: The adapter of the model, which is restored already.
    """

    def __init__(self, config: Config, adapter: ModelAdapter) -> None:
        self._config, self._adapter = config, adapter
        strategy = adapter.model.distribute_strategy
        self._coordinates = isinstance(strategy, tf.distribute.ParameterServerStrategy)
        self._agreement = Agreement(strategy)
        self._interruption = Interruption()
        is_nan = functools.partial(has_nan_weights, adapter.model)
        self._savers = [
            Saver(save.rule, save.files, self._agreement, save.after_save, is_nan)
            for save in config.saves
        ]

    def train(self, data: Input) -> Outcome:
        """Trains from the model's current step.

        Args:
          data: The training data.

        Raises:
          DivergedError: The loss or a weight is NaN.
          SaveError: Checkpoints cannot be written.
          CheckpointError: The workers begin at different steps.
          StallError: No step was made for a long time.
        """
        start = self._adapter.step()
        self._check_all_begin_at(start)
        if self._config.max_steps is not None and start >= self._config.max_steps:
            return Outcome([self._adapter.sample()], 0, has_trained=False)
        if self._coordinates:
            cli.exit_at_once_on_error()
        watch = stalls.Watch(
            stalls.servers_of(self._adapter.model.distribute_strategy),
            self._config.stall_timeout,
            self._leave,
            self._coordinates,
            stalls.REPORT_AFTER_S,
        )

        def read() -> progress.Sample:
            new_sample = self._adapter.sample()
            watch.progress(new_sample.step)
            return new_sample

        def tick(sample: progress.Sample) -> bool:
            with watch.paused():  # It may save and evaluate.
                return between.check_in_thread(sample)  # Created below, before the monitor starts.

        monitor = progress.Monitor(read, self._config.describe, tick if self._coordinates else None)
        # The sampling thread runs only where its samples are used.
        uses_monitor = self._coordinates or self._adapter.counts_examples
        between = BetweenSteps(
            self._adapter,
            self._interruption,
            self._savers,
            self._config.stops,
            self._agreement,
            monitor.sample if uses_monitor else read,
            watch.can_call_all,
        )
        try:
            with log_filters.lost_workers_briefly(), self._interruption.watched():
                # From the first checkpoint on, a signal ends the training at a whole step.
                for saver, saving in zip(self._savers, self._config.saves, strict=True):
                    saver.begin(start, saving.at_start)
                with watch:
                    self._fit(data, start, between, monitor if uses_monitor else None, watch)
                    if self._coordinates:  # It needs its parameter servers to save the end.
                        self._finish(between, watch.error)
                if not self._coordinates:  # Other synchronous tasks may end before.
                    self._finish(between, watch.error)
        finally:
            for saving in self._config.saves:
                saving.files.close()
        return Outcome(monitor.samples, self._interruption.exit_code)

    def _leave(self) -> None:
        """Makes the main thread leave `fit`, from another thread. Call it until it has left."""
        self._adapter.model.stop_training = True
        self._interruption.wake()

    def _check_all_begin_at(self, start: int) -> None:
        """Raises an error if a worker would silently train with other weights."""
        steps = self._agreement.of_all([start])[:, 0].tolist()
        if min(steps) != max(steps):
            raise CheckpointError(
                f"The workers begin at different steps, {min(steps):,} to {max(steps):,}: all of "
                "them must see the same folder of checkpoints. Is the model_dir shared?"
            )

    def _fit(
        self,
        data: Input,
        start: int,
        between: BetweenSteps,
        monitor: progress.Monitor | None,
        watch: stalls.Watch,
    ) -> None:
        """Calls `fit` until it has to stop."""
        model = self._adapter.model
        fast_steps.speed_up(model)
        variables = map(tf_variable, model.variables)
        layout = server_layout.describe(variables) if self._coordinates else ""
        if layout:
            print(f"weights on {layout}", file=sys.stderr, flush=True)
        # Keras has no callbacks between the steps of a coordinator. The thread of the monitor calls
        # `between.check_in_thread` instead.
        stop_callback = between.stops_again() if self._coordinates else between
        with (
            seeds.of_this_trainer(model.distribute_strategy),
            data.fits(start, self._config.max_steps) as fits,
            monitor or contextlib.nullcontext(),
            self._interruption.wakeable(),
        ):
            for arguments in fits:
                model.fit(
                    **arguments,
                    callbacks=[watch.callback(), *self._config.callbacks, stop_callback],
                    verbose=self._config.verbose,
                )
                if model.stop_training or between.has_stopped:
                    break

    def _finish(self, between: BetweenSteps, stall: stalls.StallError | None) -> None:
        """Saves the end, unless it is NaN, and raises the error that has ended the training."""
        failure = between.failure or stall
        try:
            # No save would succeed after any other error, such as the loss of a parameter server.
            if failure is None or isinstance(failure, SaveError):
                self._save_end(self._adapter.step())
            if failure is not None:
                raise failure
        except DivergedError:
            if self._config.fails_at_nan:
                raise

    def _save_end(self, step: int) -> None:
        pairs = list(zip(self._savers, self._config.saves, strict=True))
        # Backups are removed only after the end is saved.
        for saver, saving in pairs:
            if not saving.is_backup:
                saver.finish(step)
        for _, saving in pairs:
            if saving.is_backup:
                assert isinstance(saving.files, Backups)
                saving.files.remove()
