"""tf.estimator.train_and_evaluate for a Keras model, alone or as one task of a cluster.

    strategy = porting.strategy("model_dir")
    with strategy.scope():
        model = Model(params)
        model.compile(model.make_optimizer())
    porting.restore(model, "model_dir", save_secs=600)
    porting.train_and_evaluate(model, train_data, eval_data, max_steps=1000)

The same program runs in every task. The behaviour is that of TensorFlow 2.15, except where the
docstrings state a difference.
"""

from __future__ import annotations

import collections
import contextlib
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from modern.cluster import roles, tf_config
from modern.model_files import model_dirs
from modern.porting import chosen_checkpoints
from modern.porting.training import (
    cluster_strategy,
    local_copies,
    locked_training,
    log_lines,
    stopping_callbacks,
)
from modern.porting.training.evaluations import Evaluations, PeriodicEvaluation
from modern.porting.training.step_callbacks import CountSteps, SaveCheckpoints, StopAtNan
from modern.process import cli
from modern.process.chosen_keras import keras
from modern.records import task_records
from modern.records.summaries import ScalarWriter
from modern.training import strategies
from modern.training.adapter import ModelAdapter
from modern.training.data.inputs import FromStart
from modern.training.trainer import Config, Trainer

MakeData = Callable[[], tf.data.Dataset]
# The number of trainings that the program has begun, by MODEL_DIR.
_training_counts: collections.Counter[str] = collections.Counter()
# The default of RunConfig.
_SAVE_SECS = 600.0


def train_and_evaluate(
    model: keras.Model,
    train_data: MakeData,
    eval_data: MakeData,
    max_steps: float | None = None,
    callbacks: Sequence[keras.callbacks.Callback] | None = None,
    eval_name: str | None = None,
    exporters: Any = None,
    start_delay_secs: float = 120,
    throttle_secs: float = 600,
    adapter: ModelAdapter | None = None,
) -> tuple[dict[str, float], list[bytes | None]] | tuple[None, None] | None:
    """Trains and evaluates, in the role that TF_CONFIG gives this process.

    Without TF_CONFIG it trains here. It evaluates at the end and after a checkpoint, but at most
    once in `throttle_secs`. In a cluster a task either trains or, as the evaluator, evaluates each
    new checkpoint until the training is over. A step takes a batch from each replica, as an
    Estimator's did. The results of evaluations are written to the summaries in MODEL_DIR/eval.

    SIGTERM and Ctrl-C end a training at a whole step. It saves, and the process exits with code 143
    or 130.

    Args:
      model: The model, restored, and compiled under the strategy that `porting.strategy` returns.
        Its folder is that of `porting.restore`, otherwise a temporary one.
      train_data: Makes the batches. Called in each task that computes gradients.
      eval_data: Makes the batches of an evaluation, which must end.
      max_steps: The step at which the training ends. A fraction, such as 1000 / 64, is rounded up.
        If the data end before it, or if it is None, the training ends with the data. With parameter
        servers, it can end with the data only if TensorFlow knows their length. Other data start
        again.
      callbacks: Callbacks for `fit`, usually with `porting.callbacks` among them. None for those
        alone.
      eval_name: The name in EvalSpec, part of the folder of the summaries.
      exporters: Exporters to run after evaluations.
      start_delay_secs: Seconds that an evaluator waits first, unless the training is over.
      throttle_secs: Minimum number of seconds between the starts of two evaluations.
      adapter: The adapter of the model. None for a Keras model.

    Returns:
      Without TF_CONFIG, the metrics of the last evaluation with "global_step", and the results of
      the exporters after it. Both are None if no step was left to train. In a cluster None.

    Raises:
      TFConfigError: The cluster does not fit the model.
      ValueError: An argument is invalid.
      DivergedError: The loss is NaN. The last good checkpoint stays the latest.
      SaveError: Checkpoints cannot be written.
      SystemExit: A signal has arrived, or another run trains in the folder (code 2).
    """
    adapter = adapter or ModelAdapter(model)
    last_step = _last_step(max_steps)
    config = cluster_strategy.cluster()
    model_dir = _folder(model, config)
    evaluations = Evaluations(adapter, model_dir, eval_data, last_step, eval_name, exporters)
    _training_counts[model_dir] += 1  # The evaluator and its leader count the same trainings.
    if config and config.task_type == "evaluator":
        leader = "chief-0" if config.has_chief else "worker-0"
        evaluations.watch(leader, _training_counts[model_dir], start_delay_secs, throttle_secs)
        return None
    if config is None:
        periodic = PeriodicEvaluation(evaluations, throttle_secs)
        with locked_training.held(adapter, model_dir):
            _train(adapter, model_dir, train_data, last_step, callbacks, None, periodic)
        if evaluations.metrics is None or evaluations.exports is None:
            return None, None
        return evaluations.metrics, evaluations.exports
    # After a signal, SystemExit leaves the record unfinished: servers and the evaluator then expect
    # the training to be continued.
    with _record(adapter, model_dir, config):
        _train(adapter, model_dir, train_data, last_step, callbacks, config)
    return None


def train(
    model: keras.Model,
    train_data: MakeData,
    steps: float | None = None,
    max_steps: float | None = None,
    callbacks: Sequence[keras.callbacks.Callback] | None = None,
    adapter: ModelAdapter | None = None,
) -> None:
    """Trains like Estimator.train, in the role that TF_CONFIG gives this process.

    Args:
      model: The model, as for `train_and_evaluate`.
      train_data: Makes the batches.
      steps: The number of steps to train from here on. None sets no such end.
      max_steps: The step at which the training ends. None sets no such end. Not together with
        `steps`.
      callbacks: Callbacks for `fit`.
      adapter: The adapter of the model. None for a Keras model.

    Raises:
      TFConfigError: The cluster does not fit the model, or this task is its evaluator.
      ValueError: An argument is invalid.
      DivergedError: The loss is NaN. The last good checkpoint stays the latest.
      SaveError: Checkpoints cannot be written.
      SystemExit: A signal has arrived, or another run trains in the folder (code 2).
    """
    adapter = adapter or ModelAdapter(model)
    if steps is not None and max_steps is not None:
        raise ValueError(f"give either steps or max_steps, not both ({steps} and {max_steps}).")
    last_step = _last_step(max_steps)
    config = cluster_strategy.cluster()
    if config and config.task_type == "evaluator":
        raise tf_config.TFConfigError(
            "TF_CONFIG makes this task the evaluator, which does not train: do not start it, or "
            "call train_and_evaluate."
        )
    model_dir = _folder(model, config)
    with _record(adapter, model_dir, config):
        if steps is not None:
            make = strategies.in_scope(model.distribute_strategy, train_data)
            adapter.build(make(), training=True)  # Restores the current step.
            last_step = _last_step(adapter.step() + steps)
        _train(adapter, model_dir, train_data, last_step, callbacks, config)


def evaluate(
    model: keras.Model,
    data: tf.data.Dataset,
    adapter: ModelAdapter | None = None,
    checkpoint_path: str | None = None,
    name: str | None = None,
) -> dict[str, float]:
    """Returns loss and metrics, with "global_step", like Estimator.evaluate.

    Args:
      model: The compiled model, under any strategy.
      data: The batches, which must end.
      adapter: The adapter of the model. None for a Keras model.
      checkpoint_path: Checkpoint with the weights to evaluate. None for those of the model, which
        stay in any case.
      name: Name of the evaluation. With a name, its results are also written to the subfolder
        `eval_NAME` of the model's folder, for TensorBoard.

    Raises:
      CheckpointError: The checkpoint cannot be read, or is of another model.
    """
    adapter = adapter or ModelAdapter(model)
    adapter.build(data, training=False)
    with chosen_checkpoints.chosen(model, checkpoint_path):
        metrics = local_copies.evaluate(model, data, adapter.results)
        step = adapter.step()
    log_lines.log_results(step, metrics)
    model_dir = model_dirs.of(model)
    if name and model_dir:
        scalars = {key: value for key, value in metrics.items() if isinstance(value, float)}
        ScalarWriter(stopping_callbacks.folder_of(model_dir, name)).write(step, scalars)
    return metrics | {"global_step": step}


@contextlib.contextmanager
def _record(
    adapter: ModelAdapter, model_dir: str, config: tf_config.TFConfig | None
) -> Iterator[None]:
    """Locks the folder if this task saves, and records the training for the other tasks."""
    if config is None:
        with locked_training.held(adapter, model_dir):
            yield
        return
    cluster_strategy.check(adapter.model.distribute_strategy, config)
    recorder = task_records.Recorder(model_dir, config.name)
    recorder.add(training=_training_counts[model_dir])
    saves = roles.role_of(config, cluster_strategy.way_of(config)).saves
    # The record comes second, since the folder may have that of a running training.
    lock = locked_training.held(adapter, model_dir) if saves else contextlib.nullcontext()
    with lock, recorder:
        yield


def _folder(model: keras.Model, config: tf_config.TFConfig | None) -> str:
    """Returns the folder of a model, or creates a temporary one.

    In a cluster it raises an error instead, because other tasks would not find the new folder.
    """
    if config and not model_dirs.of(model):
        raise tf_config.TFConfigError(
            "TF_CONFIG names a cluster, but the model has no folder that its tasks share: call "
            "porting.restore(model, model_dir) first."
        )
    return model_dirs.or_temporary(model)


def _last_step(max_steps: float | None) -> int | None:
    """Returns the step at which a training ends. It reaches a fraction at the next whole step."""
    if max_steps is not None and max_steps <= 0:
        raise ValueError(f"max_steps must be positive or None, not {max_steps}.")
    return None if max_steps is None else math.ceil(max_steps)


def _train(
    adapter: ModelAdapter,
    model_dir: str,
    make_data: MakeData,
    max_steps: int | None,
    callbacks: Sequence[keras.callbacks.Callback] | None,
    config: tf_config.TFConfig | None,
    evaluations: PeriodicEvaluation | None = None,
) -> None:
    """Trains in this process, which computes gradients or coordinates the tasks that do.

    Args:
      adapter: The adapter of the model.
      model_dir: The folder of the training.
      make_data: Makes the batches of a task.
      max_steps: The step at which it ends. None if the data end it.
      callbacks: All callbacks. None for those of `porting.callbacks`.
      config: The cluster, or None.
      evaluations: Evaluates after checkpoints. None if another task evaluates.

    Raises:
      SystemExit: A signal has arrived.
    """
    model = adapter.model
    if callbacks is None:
        intervals = model_dirs.saves_of(model) or {"save_secs": _SAVE_SECS}
        callbacks = [SaveCheckpoints(model_dir, **intervals), log_lines.LogLoss()]
    saves = [callback for callback in callbacks if isinstance(callback, SaveCheckpoints)]
    nan_stops = [callback for callback in callbacks if isinstance(callback, StopAtNan)]
    stops = [
        callback for callback in callbacks if isinstance(callback, stopping_callbacks.EarlyStopping)
    ]
    # The engine replaces these callbacks. It limits the number of steps before they run, so it does
    # not need CountSteps.
    engine_types: tuple[type, ...] = (
        SaveCheckpoints,
        StopAtNan,
        CountSteps,
        stopping_callbacks.EarlyStopping,
    )
    if isinstance(model.distribute_strategy, tf.distribute.ParameterServerStrategy):
        engine_types += (
            log_lines.LogLoss,
        )  # Keras rejects callbacks between the steps of a coordinator.
    # `fit` does not call these, so they get the model here.
    for callback in stops:
        callback.set_model(model)
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
                callback.saving(adapter, task, after_save)
                for callback in saves or [SaveCheckpoints(model_dir, save_secs=_SAVE_SECS)]
            ],
            stops=stops,
            callbacks=[
                callback for callback in callbacks if not isinstance(callback, engine_types)
            ],
            fails_at_nan=all(callback.fails for callback in nan_stops),
            verbose=2 if model.distribute_strategy.extended.should_checkpoint else 0,
        ),
        adapter,
    )
    outcome = trainer.train(data)
    if not outcome.has_trained:
        # Printed at every log level. A silent return would look like a training.
        print(f"nothing is left to train: step {adapter.step():,} is reached", file=sys.stderr)
        return
    if outcome.exit_code:
        if config and roles.role_of(config, cluster_strategy.way_of(config)).coordinates:
            # Steps still run, and Python's clean-up would break them.
            cli.exit_at_once(outcome.exit_code)
        sys.exit(outcome.exit_code)
    if evaluations:
        evaluations.after_training(adapter.step())
