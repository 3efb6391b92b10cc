"""Work that an Estimator does around its model_fn, for a bridged model: checkpoints, exports etc.

    model = bridge.KerasModelFn(model_fn)
    as_estimator.restore(model, "model_dir", save_secs=600)
    model.fit(train_data, callbacks=as_estimator.callbacks(model))
    for prediction in as_estimator.predict(model, data):
        print(prediction["classes"])

`python -m migrate rewrite --to=modern` writes programs that use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf
import tf_keras

from migrate.bridge import inputs
from migrate.bridge.graphs.graph_columns import shared_embedding_columns
from migrate.bridge.run_config import RunConfig
from migrate.bridge.tpu_params import TPUParams
from migrate.bridge.training.adapter import BridgedAdapter
from migrate.bridge.training.hooks import run_hooks
from modern import porting
from modern.model_files import intact, model_dirs, rotation
from modern.porting import (
    BestExporter,
    FinalExporter,
    LatestExporter,
    Profile,
    StopIfHigher,
    StopIfLower,
    StopIfNoDecrease,
    StopIfNoIncrease,
    graph_dataset,
    strategy,
)
from modern.porting.training import evaluated_training, log_lines, step_callbacks
from modern.porting.training.evaluated_training import MakeData

if TYPE_CHECKING:
    from migrate.bridge.model import KerasModelFn

__all__ = [
    "BestExporter",
    "FinalExporter",
    "LatestExporter",
    "Profile",
    "RunConfig",
    "SaveCheckpoints",
    "StopIfHigher",
    "StopIfLower",
    "StopIfNoDecrease",
    "StopIfNoIncrease",
    "TPUParams",
    "add_metrics",
    "callbacks",
    "evaluate",
    "export",
    "graph_dataset",
    "predict",
    "restore",
    "run_hooks",
    "shared_embedding_columns",
    "strategy",
    "train",
    "train_and_evaluate",
]


def add_metrics(model: KerasModelFn, metric_fn: Callable[..., Any]) -> KerasModelFn:
    """Returns the model, whose evaluations then have the metrics of a function too.

    Args:
      model: The bridged model.
      metric_fn: A function with any of the arguments features, labels, predictions and config, as
        `tf.estimator.add_metrics` takes it.
    """
    model.add_metrics(metric_fn)
    return model


def restore(model: KerasModelFn, model_dir: str | None, **saves: Any) -> None:
    """Sets a model's folder, and loads the latest checkpoint there if one exists.

    Args:
      model: The bridged model.
      model_dir: The folder, stored as `model.model_dir`. None for no folder.
      **saves: Intervals at which `callbacks` save there, as `SaveCheckpoints` takes them.

    Raises:
      BridgeError: The checkpoint does not fit.
      SystemExit: The folder has checkpoints, and all of them are damaged (code 2).
    """
    model_dirs.settle(model, model_dir, saves)
    model_dirs.note_checkpoint(model, rotation.latest(model_dir) if model_dir else None)
    with intact.or_exit():
        path = intact.newest(model_dir) if model_dir else None
    if path:
        model.load_estimator_checkpoint(path)


def callbacks(model: KerasModelFn | None = None) -> list[tf_keras.callbacks.Callback]:
    """Returns the callbacks of an Estimator's training: it saves, logs, and stops at a NaN loss.

    Args:
      model: Model to save in the folder that `restore` set. None to save nothing.
    """
    folder = model_dirs.of(model)
    saves = [SaveCheckpoints(folder, **model_dirs.saves_of(model))] if model and folder else []
    return [step_callbacks.StopAtNan(), log_lines.LogLoss(), *saves]


class SaveCheckpoints(step_callbacks.SaveCheckpoints):
    """Saves Estimator checkpoints when an Estimator does: at the start, regularly, at the end."""

    adapter = BridgedAdapter


def export(model: KerasModelFn, export_dir_base: str, serving_input_receiver_fn: Any) -> bytes:
    """Writes a SavedModel into a new folder named by the time, as Estimator.export_saved_model.

    Args:
      model: The bridged model.
      export_dir_base: Parent of the new folder.
      serving_input_receiver_fn: Function that defines the tensors of a request.

    Returns:
      The path of the new folder.

    Raises:
      BridgeError: The model has nothing to export.
    """
    return BridgedAdapter(model).export(export_dir_base, serving_input_receiver_fn)


def train_and_evaluate(
    model: KerasModelFn, train_data: MakeData, eval_data: MakeData, **options: Any
) -> tuple[dict[str, float], list[bytes | None]] | tuple[None, None] | None:
    """Trains and evaluates, in the role that TF_CONFIG assigns to this process.

    Args:
      model: Bridged model, created under the strategy that `strategy` returns.
      train_data: Function that makes the training batches.
      eval_data: Function that makes the batches of an evaluation.
      **options: Other arguments of `porting.train_and_evaluate`. Exporters take a
        serving_input_receiver_fn.

    Returns:
      The result of `porting.train_and_evaluate`.

    Raises:
      BridgeError: The model_fn cannot be bridged, or a checkpoint does not fit.
      TFConfigError: The cluster does not fit the model.
      ValueError: An argument has an invalid value.
      SystemExit: A signal interrupted the training.
    """
    return evaluated_training.train_and_evaluate(
        model, train_data, eval_data, **options, adapter=BridgedAdapter(model)
    )


def train(model: KerasModelFn, train_data: MakeData, **options: Any) -> None:
    """Trains as Estimator.train, in the role that TF_CONFIG assigns to this process.

    Args:
      model: Bridged model, as for `train_and_evaluate`.
      train_data: Function that makes the training batches.
      **options: Other arguments of `porting.train`. It also documents the errors.
    """
    evaluated_training.train(model, train_data, **options, adapter=BridgedAdapter(model))


def evaluate(
    model: KerasModelFn, data: tf.data.Dataset, name: str | None = None
) -> dict[str, float]:
    """Returns loss and metrics, with "global_step", as Estimator.evaluate.

    Args:
      model: Bridged model under any strategy.
      data: Finite dataset of batches.
      name: Name of the evaluation, as for `porting.evaluate`.
    """
    return evaluated_training.evaluate(model, data, adapter=BridgedAdapter(model), name=name)


def predict(
    model: KerasModelFn,
    data: tf.data.Dataset,
    predict_keys: Any = None,
    yield_single_examples: bool = True,
) -> Iterator[Any]:
    """Yields predictions lazily, example by example, as Estimator.predict.

    Args:
      model: Bridged model under any strategy.
      data: Batches of features, or of features and labels.
      predict_keys: Names of the predictions to yield. `porting.predict` documents the errors.
      yield_single_examples: If true, yields one example at a time instead of whole batches.
    """
    features, _ = inputs.specs(data, None, model.distribute_strategy)
    model.build_predictions(features)
    yield from porting.predict(model, data, predict_keys, yield_single_examples)
