"""What tf.estimator.train_and_evaluate did, for a Keras model, alone or as one task of a cluster.

    strategy = porting.strategy("model_dir")
    with strategy.scope():
        model = Model(params)
        model.compile(model.make_optimizer())
    porting.restore(model, "model_dir", save_secs=600)
    porting.train_and_evaluate(model, train_data, eval_data, max_steps=1000)

The same program runs in every task. Seen in TensorFlow 2.15, unless something else is said here.
"""

from __future__ import annotations

import collections
import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from modern import (
    alone,
    cli,
    early_stopping,
    fitting,
    joining,
    log_filters,
    model_dirs,
    progress,
    records,
    rounds,
    seeds,
    strategies,
)
from modern.cluster import roles, tf_config
from modern.evaluations import Evaluations, Throttled
from modern.kinds import Kind, MakeData
from modern.step_callbacks import CountSteps, SaveCheckpoints, StopAtNan

_OF_SAVES = "triggered tf.function retracing"
# By MODEL_DIR, how many trainings the program has begun.
_begun: collections.Counter[str] = collections.Counter()
# Of a RunConfig that says nothing else.
_SAVE_SECS = 600.0


def train_and_evaluate(
    model: tf_keras.Model,
    train_data: MakeData,
    eval_data: MakeData,
    max_steps: int | None = None,
    callbacks: Sequence[tf_keras.callbacks.Callback] | None = None,
    eval_name: str | None = None,
    exporters: Any = None,
    start_delay_secs: float = 120,
    throttle_secs: float = 600,
    kind: Kind | None = None,
) -> tuple[dict[str, float], list[bytes | None]] | tuple[None, None] | None:
    """Trains and evaluates, in the part that TF_CONFIG gives this process.

    Without TF_CONFIG it trains here, and evaluates after a checkpoint, but not more often than
    `throttle_secs` says, and at the end. In a cluster it only trains, or, as the evaluator, only
    evaluates: each new checkpoint, until the training is over. A step takes a batch from each
    replica, as an Estimator's did. What the evaluations find is in the summaries in MODEL_DIR/eval.

    SIGTERM and Ctrl-C end a training at a whole step; it saves, and the process ends with code 143
    or 130.

    Args:
      model: compiled, under the strategy that `porting.strategy` returns, and restored; it lives in
        the folder that `porting.restore` has given it, else in a temporary one.
      train_data: makes the batches; called in each task that computes gradients.
      eval_data: makes the batches of an evaluation; they end.
      max_steps: the step at which the training ends; None where the data end it, which they do
        before it, too. With parameter servers data end it whose length TensorFlow knows; others
        begin anew.
      callbacks: as `fit` takes them, with `porting.callbacks` among them; None for those alone.
      eval_name: EvalSpec's name, part of the folder of the summaries.
      exporters: what is exported after evaluations.
      start_delay_secs: seconds that an evaluator waits first, unless the training is over.
      throttle_secs: seconds between the starts of two evaluations, at least.
      kind: of the model; None for one of Keras.

    Returns:
      Without TF_CONFIG, the last evaluation's metrics, with "global_step", and what each exporter
      returned then; both None where nothing was left to train. In a cluster None.

    Raises:
      TFConfigError: the cluster does not fit the model.
      ValueError: an argument cannot be.
      SystemExit: there was a signal.
    """
    kind = kind or Kind()
    config = tf_config.load()
    model_dir = _folder(model, config)
    evaluations = Evaluations(kind, model, model_dir, eval_data, max_steps, eval_name, exporters)
    training = Training(kind, model, model_dir, train_data, max_steps, callbacks)
    _begun[model_dir] += 1  # An evaluator and its leader count as many.
    if config and config.task_type == "evaluator":
        leader = "chief-0" if config.has_chief else "worker-0"
        evaluations.watch(leader, _begun[model_dir], start_delay_secs, throttle_secs)
        return None
    if config is None:
        _run(training, config, Throttled(evaluations, throttle_secs))
        return evaluations.metrics, evaluations.exports
    # After a signal it has not finished: servers and the evaluator expect it to go on.
    with _recorded(model, model_dir, config):
        _run(training, config)
    return None


def train(
    model: tf_keras.Model,
    train_data: MakeData,
    steps: int | None = None,
    max_steps: int | None = None,
    callbacks: Sequence[tf_keras.callbacks.Callback] | None = None,
    kind: Kind | None = None,
) -> None:
    """Trains, as Estimator.train, in the part that TF_CONFIG gives this process.

    Args:
      model: as `train_and_evaluate` has it, and so are the others.
      train_data: makes the batches.
      steps: how many more; None for no such end.
      max_steps: the step at which it ends; None for no such end. Not together with `steps`.
      callbacks: as `fit` takes them.
      kind: of the model; None for one of Keras.

    Raises:
      TFConfigError: the cluster does not fit the model, or this is its evaluator.
      ValueError: an argument cannot be.
      SystemExit: there was a signal.
    """
    kind = kind or Kind()
    if steps is not None and max_steps is not None:
        raise ValueError(f"give one of steps and max_steps; they are {steps} and {max_steps}.")
    config = tf_config.load()
    if config and config.task_type == "evaluator":
        raise tf_config.TFConfigError(
            "TF_CONFIG says that this task is the evaluator, which does not train: leave it out, "
            "or have train_and_evaluate train."
        )
    model_dir = _folder(model, config)
    if steps is not None:
        make = strategies.in_scope(model.distribute_strategy, train_data)
        kind.build(model, make(), training=True)  # For the step that it is at.
        max_steps = kind.step(model) + steps
    training = Training(kind, model, model_dir, train_data, max_steps, callbacks)
    with _recorded(model, model_dir, config):
        _run(training, config)


def evaluate(
    model: tf_keras.Model, data: tf.data.Dataset, kind: Kind | None = None
) -> dict[str, float]:
    """Returns loss and metrics, with "global_step", as Estimator.evaluate.

    Args:
      model: compiled, under any strategy.
      data: the batches; they end.
      kind: of the model; None for one of Keras.
    """
    kind = kind or Kind()
    kind.build(model, data, training=False)
    return alone.evaluate(model, data, kind.results) | {"global_step": kind.step(model)}


def _recorded(
    model: tf_keras.Model, model_dir: str, config: tf_config.TFConfig | None
) -> contextlib.AbstractContextManager[Any]:
    """What tells the other tasks of a cluster how the training goes."""
    if config is None:
        return contextlib.nullcontext()
    joining.check(model.distribute_strategy, config)
    recorder = records.Recorder(model_dir, config.name)
    recorder.add(training=_begun[model_dir])
    return recorder


def _folder(model: tf_keras.Model, config: tf_config.TFConfig | None) -> str:
    """The folder of a model; a new one where it has none, which other tasks would not find."""
    if config and not model_dirs.of(model):
        raise tf_config.TFConfigError(
            "TF_CONFIG names a cluster, and the model has no folder that its tasks share: call "
            "porting.restore(model, model_dir) first."
        )
    return model_dirs.or_temporary(model)


def _run(
    training: Training,
    config: tf_config.TFConfig | None,
    evaluations: Throttled | None = None,
) -> None:
    """Runs a training in this process.

    Raises:
      SystemExit: there was a signal.
    """
    if config is None:
        _exit(training.run(evaluations))
        return
    coordinates = roles.role_of(config, joining.way_of(config)).coordinates
    _exit(training.run(), at_once=coordinates)


def _exit(code: int, at_once: bool = False) -> None:
    """Ends the process after a signal; at once where steps run that its clean-up would break."""
    if code and at_once:
        cli.exit_at_once(code)
    if code:
        sys.exit(code)


class _Saves:
    """Saves as a SaveCheckpoints does, and tells of it."""

    def __init__(self, saves: SaveCheckpoints, after_save: Callable[[int], None]) -> None:
        self._saves, self._after_save = saves, after_save
        self.due_by_step, self.due_by_time = saves.due_by_step, saves.due_by_time

    def save(self, step: int) -> None:
        self._saves.save(step)
        self._after_save(step)


class Training:
    """A task that trains: alone, in a ring, or as a coordinator.

    Args:
      kind: of the model.
      model: what is trained.
      model_dir: of the training.
      data: makes the batches of a task.
      max_steps: where it ends; None where the data end it.
      callbacks: all; None for those of `porting.callbacks`.

    Raises:
      ValueError: `max_steps` is not positive.
    """

    def __init__(
        self,
        kind: Kind,
        model: tf_keras.Model,
        model_dir: str,
        data: MakeData,
        max_steps: int | None,
        callbacks: Sequence[tf_keras.callbacks.Callback] | None,
    ) -> None:
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"max_steps is positive or None, and not {max_steps}.")
        if callbacks is None:
            often = model_dirs.saves_of(model) or {"save_secs": _SAVE_SECS}
            callbacks = [StopAtNan(), kind.saves(model_dir, **often)]
        self._kind, self._model, self._max_steps = kind, model, max_steps
        self._data = strategies.in_scope(model.distribute_strategy, data)
        self._coordinates = isinstance(
            model.distribute_strategy, tf.distribute.ParameterServerStrategy
        )
        saves = [one for one in callbacks if isinstance(one, SaveCheckpoints)]
        self._saves = saves or [kind.saves(model_dir, save_secs=_SAVE_SECS)]
        self._stops = [one for one in callbacks if isinstance(one, early_stopping.EarlyStopping)]
        # Steps are counted here before they are made.
        apart = [*saves, *self._stops, *(one for one in callbacks if isinstance(one, CountSteps))]
        if self._coordinates:
            self._stops += [_StopsAtNan(one, model) for one in callbacks if _is_nan_stop(one)]
            apart += [one for one in callbacks if _is_nan_stop(one)]
        self._callbacks = [one for one in callbacks if one not in apart]

    def run(self, evaluations: Throttled | None = None) -> int:
        """Trains to the end.

        Args:
          evaluations: what evaluates beside it; None where another task does.

        Returns:
          0, or the exit code after a signal.
        """
        kind, model = self._kind, self._model
        with seeds.of_this_trainer(model.distribute_strategy):
            data = self._data()
        kind.build(model, data, training=True)
        start = kind.step(model)
        if self._max_steps is not None and start >= self._max_steps:
            # Whatever is logged: without a word it would seem to have trained.
            print(f"nothing is left to train: step {start:,} is reached", file=sys.stderr)
            return 0
        interruption = fitting.Interruption()
        tell = evaluations.after_save if evaluations else lambda step: None
        between = fitting.BetweenSteps(
            interruption, [_Saves(one, tell) for one in self._saves], self._stops, kind.step
        )
        for one in (*self._saves, *self._stops):
            if isinstance(one, tf_keras.callbacks.Callback):
                one.set_model(model)
        for one in self._saves:
            one.save(start)
        steps = None if self._max_steps is None else self._max_steps - start
        with seeds.of_this_trainer(model.distribute_strategy):
            if self._coordinates:
                self._coordinate(data, steps, between, interruption)
            else:
                self._fit(data, steps, between, interruption)
        step = kind.step(model)
        for one in self._saves:
            one.save(step)
            one.close()
        if interruption.signum:
            return interruption.exit_code
        if evaluations:
            evaluations.after_training(step)
        return 0

    def _fit(
        self,
        data: tf.data.Dataset,
        steps: int | None,
        between: fitting.BetweenSteps,
        interruption: fitting.Interruption,
    ) -> None:
        """In one call, to the last step or the end of the data."""
        model = self._model
        own, steps_per_epoch = rounds.limited(data, model.distribute_strategy, steps)
        if steps_per_epoch == 0:
            return
        with rounds.ended_with_data(model, own), log_filters.hidden(log_filters.OF_UNKNOWN_LENGTH):
            fits = {
                "x": strategies.distribute_to_each(model.distribute_strategy, lambda: own),
                "steps_per_epoch": steps_per_epoch or -1,
                "callbacks": [*self._callbacks, between],
                "verbose": self._verbose,
            }
            fitting.run(model, [fits], interruption, contextlib.nullcontext())

    def _coordinate(
        self,
        data: tf.data.Dataset,
        steps: int | None,
        between: fitting.BetweenSteps,
        interruption: fitting.Interruption,
    ) -> None:
        """The workers make the data; what callbacks do at single steps is done beside."""
        model, kind = self._model, self._kind
        total = rounds.coordinated(data, tf_config.load().num_workers, steps)
        if total is None:
            raise ValueError(
                "max_steps is None, and with parameter servers the coordinator has to know it, as "
                "it does not see where the workers' data end: give train_and_evaluate max_steps."
            )
        monitor = progress.Monitor(
            lambda: progress.take(kind.step(model), (), 0.0),
            tick=lambda sample: _or_stop(
                lambda: between.beside(model, sample.step), lambda: between.stop(model)
            ),
        )
        fits = (
            {
                # Workers take more steps or fewer; where one's data ended, all would fail.
                "x": strategies.distribute_to_each(
                    model.distribute_strategy, lambda: self._data().repeat()
                ),
                "initial_epoch": first,
                "epochs": last,
                "steps_per_epoch": steps,
                "callbacks": [*self._callbacks, between.again()],
                "verbose": self._verbose,
            }
            for first, last, steps in fitting.Plan(total, rounds.epoch(total)).segments(0)
            if not between.stopped
        )
        with log_filters.hidden(_OF_SAVES):
            fitting.run(model, fits, interruption, monitor)

    @property
    def _verbose(self) -> int:
        return 2 if self._model.distribute_strategy.extended.should_checkpoint else 0


def _or_stop(act: Callable[[], None], stop: Callable[[], None]) -> None:
    """Does something in the thread beside a coordinator, where an error ends the training."""
    try:
        act()
    except BaseException:
        stop()
        raise


def _is_nan_stop(callback: tf_keras.callbacks.Callback) -> bool:
    return isinstance(callback, StopAtNan)


class _StopsAtNan:
    """A StopAtNan where there are no callbacks at single steps."""

    def __init__(self, stop: StopAtNan, model: tf_keras.Model) -> None:
        self._stop, self._model = stop, model

    def due_by_step(self, step: int) -> bool:
        return False

    def wishes(self, step: int) -> bool:
        found: Mapping[str, Any] = {
            one.name: one.result() for one in self._model.metrics if one.name == "loss"
        }
        return self._stop.wishes(found)
