"""What an Estimator does around its model_fn, for a bridged model: checkpoints, exports and so on.

    model = bridge.KerasModelFn(model_fn)
    as_estimator.restore(model, "model_dir", save_secs=600)
    model.fit(train_data, callbacks=as_estimator.callbacks(model))
    for prediction in as_estimator.predict(model, data):
        print(prediction["classes"])

`python -m migrate rewrite --to=modern` writes programs that use it.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from modern.model_files import model_dirs
from modern.porting import (
    BestExporter,
    FinalExporter,
    LatestExporter,
    Profile,
    StopIfHigher,
    StopIfLower,
    StopIfNoDecrease,
    StopIfNoIncrease,
    evaluated_training,
    step_callbacks,
    strategy,
)
from modern.porting.evaluated_training import MakeData

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
    "callbacks",
    "evaluate",
    "export",
    "predict",
    "restore",
    "run_hooks",
    "shared_embedding_columns",
    "strategy",
    "train",
    "train_and_evaluate",
]


def restore(model: KerasModelFn, model_dir: str | None, **saves: Any) -> None:
    """Has a model live in a folder: loads the latest checkpoint there, if there is one.

    Args:
      model: The model.
      model_dir: The folder; None where there is none. It is `model.model_dir` then.
      **saves: How often `callbacks` are to save there, as `SaveCheckpoints` takes it.

    Raises:
      BridgeError: The checkpoint does not fit.
    """
    model_dirs.settle(model, model_dir, saves)
    if model_dir and tf.train.latest_checkpoint(model_dir):
        model.load_estimator_checkpoint(model_dir)


def callbacks(model: KerasModelFn | None = None) -> list[tf_keras.callbacks.Callback]:
    """Returns what an Estimator does in each training: it saves, and a loss of NaN ends it.

    Args:
      model: The model, which is saved to the folder that `restore` has given it; None to save
        nothing.
    """
    folder = model_dirs.of(model)
    saves = [SaveCheckpoints(folder, **model_dirs.saves_of(model))] if model and folder else []
    return [step_callbacks.StopAtNan(), *saves]


class SaveCheckpoints(step_callbacks.SaveCheckpoints):
    """Saves Estimator checkpoints when an Estimator does: at the start, regularly, at the end."""

    adapter = BridgedAdapter


def export(model: KerasModelFn, export_dir_base: str, serving_input_receiver_fn: Any) -> bytes:
    """Writes a SavedModel into a new folder named by the time, as Estimator.export_saved_model.

    Args:
      model: The model.
      export_dir_base: Where that folder is to be.
      serving_input_receiver_fn: What a request consists of.

    Returns:
      The new folder's path.

    Raises:
      BridgeError: The model has nothing to export.
    """
    return BridgedAdapter(model).export(export_dir_base, serving_input_receiver_fn)


def train_and_evaluate(
    model: KerasModelFn, train_data: MakeData, eval_data: MakeData, **options: Any
) -> tuple[dict[str, float], list[bytes | None]] | tuple[None, None] | None:
    """Trains and evaluates, in the part that TF_CONFIG gives this process.

    Args:
      model: As `porting.train_and_evaluate` has it, and so are the others; made under the strategy
        that `strategy` returns. Exporters take a serving_input_receiver_fn.
      train_data: Makes the batches of the training.
      eval_data: Makes those of an evaluation.
      **options: Any of the others.

    Returns:
      As `porting.train_and_evaluate`.

    Raises:
      BridgeError: The model_fn cannot be bridged, or a checkpoint does not fit.
      TFConfigError: The cluster does not fit the model.
      ValueError: An argument cannot be.
      SystemExit: There was a signal.
    """
    return evaluated_training.train_and_evaluate(
        model, train_data, eval_data, **options, adapter=BridgedAdapter(model)
    )


def train(model: KerasModelFn, train_data: MakeData, **options: Any) -> None:
    """Trains, as Estimator.train, in the part that TF_CONFIG gives this process.

    Args:
      model: As `train_and_evaluate` has it.
      train_data: Makes the batches.
      **options: As of `porting.train`, which says what is raised.
    """
    evaluated_training.train(model, train_data, **options, adapter=BridgedAdapter(model))


def evaluate(model: KerasModelFn, data: tf.data.Dataset) -> dict[str, float]:
    """Returns loss and metrics, with "global_step", as Estimator.evaluate.

    Args:
      model: Under any strategy.
      data: The batches; they end.
    """
    return evaluated_training.evaluate(model, data, adapter=BridgedAdapter(model))


def predict(
    model: KerasModelFn,
    data: tf.data.Dataset,
    predict_keys: Any = None,
    yield_single_examples: bool = True,
) -> Iterator[Any]:
    """Yields predictions as Estimator.predict: when they are asked for, example by example.

    Args:
      model: Under any strategy.
      data: Features, or features and labels, in batches.
      predict_keys: Which of the predictions, as `porting.predict` has it, which says what is
        raised.
      yield_single_examples: Whether not whole batches.
    """
    features, _ = inputs.specs(data, None, model.distribute_strategy)
    model.build_predictions(features)
    yield from porting.predict(model, data, predict_keys, yield_single_examples)
