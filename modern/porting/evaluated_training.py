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
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from modern.cluster import roles, tf_config
from modern.model_files import model_dirs
from modern.porting import cluster_strategy, local_copies, stopping_callbacks
from modern.porting.evaluations import Evaluations, Throttled
from modern.porting.step_callbacks import CountSteps, SaveCheckpoints, StopAtNan
from modern.process import cli
from modern.records import task_records
from modern.training import strategies
from modern.training.adapter import ModelAdapter
from modern.training.inputs import FromStart
from modern.training.trainer import Config, Trainer

MakeData = Callable[[], tf.data.Dataset]
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
    adapter: ModelAdapter | None = None,
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
      adapter: of the model; None for a Keras model.

    Returns:
      Without TF_CONFIG, the last evaluation's metrics, with "global_step", and what each exporter
      returned then; both None where nothing was left to train. In a cluster None.

    Raises:
      TFConfigError: the cluster does not fit the model.
      ValueError: an argument cannot be.
      DivergedError: the loss is NaN; the last good checkpoint stays the latest.
      SaveError: checkpoints cannot be written.
      SystemExit: there was a signal.
    """
    adapter = adapter or ModelAdapter(model)
    config = tf_config.load()
    model_dir = _folder(model, config)
    evaluations = Evaluations(adapter, model_dir, eval_data, max_steps, eval_name, exporters)
    _begun[model_dir] += 1  # An evaluator and its leader count as many.
    if config and config.task_type == "evaluator":
        _check_max_steps(max_steps)
        leader = "chief-0" if config.has_chief else "worker-0"
        evaluations.watch(leader, _begun[model_dir], start_delay_secs, throttle_secs)
        return None
    if config is None:
        throttled = Throttled(evaluations, throttle_secs)
        _train(adapter, model_dir, train_data, max_steps, callbacks, None, throttled)
        return evaluations.metrics, evaluations.exports
    # After a signal it has not finished: servers and the evaluator expect it to go on.
    with _recorded(model, model_dir, config):
        _train(adapter, model_dir, train_data, max_steps, callbacks, config)
    return None


def train(
    model: tf_keras.Model,
    train_data: MakeData,
    steps: int | None = None,
    max_steps: int | None = None,
    callbacks: Sequence[tf_keras.callbacks.Callback] | None = None,
    adapter: ModelAdapter | None = None,
) -> None:
    """Trains, as Estimator.train, in the part that TF_CONFIG gives this process.

    Args:
      model: as `train_and_evaluate` has it, and so are the others.
      train_data: makes the batches.
      steps: how many more; None for no such end.
      max_steps: the step at which it ends; None for no such end. Not together with `steps`.
      callbacks: as `fit` takes them.
      adapter: of the model; None for a Keras model.

    Raises:
      TFConfigError: the cluster does not fit the model, or this is its evaluator.
      ValueError: an argument cannot be.
      DivergedError: the loss is NaN; the last good checkpoint stays the latest.
      SaveError: checkpoints cannot be written.
      SystemExit: there was a signal.
    """
    adapter = adapter or ModelAdapter(model)
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
        adapter.build(make(), training=True)  # For the step that it is at.
        max_steps = adapter.step() + steps
    with _recorded(model, model_dir, config):
        _train(adapter, model_dir, train_data, max_steps, callbacks, config)


def evaluate(
    model: tf_keras.Model, data: tf.data.Dataset, adapter: ModelAdapter | None = None
) -> dict[str, float]:
    """Returns loss and metrics, with "global_step", as Estimator.evaluate.

    Args:
      model: compiled, under any strategy.
      data: the batches; they end.
      adapter: of the model; None for a Keras model.
    """
    adapter = adapter or ModelAdapter(model)
    adapter.build(data, training=False)
    return local_copies.evaluate(model, data, adapter.results) | {"global_step": adapter.step()}


def _recorded(
    model: tf_keras.Model, model_dir: str, config: tf_config.TFConfig | None
) -> contextlib.AbstractContextManager[Any]:
    """What tells the other tasks of a cluster how the training goes."""
    if config is None:
        return contextlib.nullcontext()
    cluster_strategy.check(model.distribute_strategy, config)
    recorder = task_records.Recorder(model_dir, config.name)
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


def _check_max_steps(max_steps: int | None) -> None:
    if max_steps is not None and max_steps <= 0:
        raise ValueError(f"max_steps is positive or None, and not {max_steps}.")


def _train(
    adapter: ModelAdapter,
    model_dir: str,
    make_data: MakeData,
    max_steps: int | None,
    callbacks: Sequence[tf_keras.callbacks.Callback] | None,
    config: tf_config.TFConfig | None,
    evaluations: Throttled | None = None,
) -> None:
    """Trains in this process, as a task that computes gradients or coordinates those that do.

    Args:
      adapter: of the model.
      model_dir: of the training.
      make_data: makes the batches of a task.
      max_steps: where it ends; None where the data end it.
      callbacks: all; None for those of `porting.callbacks`.
      config: the cluster; None without one.
      evaluations: what evaluates beside it; None where another task does.

    Raises:
      ValueError: `max_steps` is not positive.
      SystemExit: there was a signal.
    """
    _check_max_steps(max_steps)
    model = adapter.model
    if callbacks is None:
        often = model_dirs.saves_of(model) or {"save_secs": _SAVE_SECS}
        callbacks = [SaveCheckpoints(model_dir, **often)]
    saves = [one for one in callbacks if isinstance(one, SaveCheckpoints)]
    of_nan = [one for one in callbacks if isinstance(one, StopAtNan)]
    stops = [one for one in callbacks if isinstance(one, stopping_callbacks.EarlyStopping)]
    # The engine does what these do, and counts the steps before they are made.
    own = (SaveCheckpoints, StopAtNan, CountSteps, stopping_callbacks.EarlyStopping)
    for one in stops:
        one.set_model(model)
    data = FromStart(
        strategies.in_scope(model.distribute_strategy, make_data),
        model,
        config.num_workers if config else 1,
    )
    adapter.build(data.data, training=True)
    task = config.name if config else ""
    after_save = evaluations.after_save if evaluations else None
    trainer = Trainer(
        Config(
            max_steps=max_steps,
            saves=[
                one.saving(adapter, task, after_save)
                for one in saves or [SaveCheckpoints(model_dir, save_secs=_SAVE_SECS)]
            ],
            stops=stops,
            callbacks=[one for one in callbacks if not isinstance(one, own)],
            fails_at_nan=all(one.fails for one in of_nan),
            verbose=2 if model.distribute_strategy.extended.should_checkpoint else 0,
        ),
        adapter,
    )
    outcome = trainer.train(data)
    if not outcome.has_trained:
        # Whatever is logged: without a word it would seem to have trained.
        print(f"nothing is left to train: step {adapter.step():,} is reached", file=sys.stderr)
        return
    if outcome.exit_code:
        if config and roles.role_of(config, cluster_strategy.way_of(config)).coordinates:
            # Steps still run, which Python's clean-up would break.
            cli.exit_at_once(outcome.exit_code)
        sys.exit(outcome.exit_code)
    if evaluations:
        evaluations.after_training(adapter.step())
