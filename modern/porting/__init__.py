"""The public API for ported programs: an Estimator's work around its model, for a Keras model.

    porting.restore(model, "model_dir", save_secs=600)
    model.fit(train_data, callbacks=porting.callbacks(model))
    for prediction in porting.predict(model, data):
        print(prediction["classes"])
    porting.export(model, "export", serving)

The model is any compiled tf_keras.Model. It is saved to MODEL_DIR/checkpoints, with its optimizer
(modern/model_files/checkpoints.py). `python -m migrate rewrite --to=modern` writes programs that
use this.

Files in reading order:
evaluated_training  trains and evaluates by turns, alone or as one task of a cluster
evaluations         evaluates checkpoints, and writes summaries and exports
exporters           exports models after evaluations
step_callbacks      saves, counts and stops at steps
stopping_callbacks  stops a training by its evaluations
cluster_strategy    joins the cluster that TF_CONFIG describes
worker_shutdown     ends the workers of a synchronous training together
local_copies        evaluates and predicts in one process, with a model of any strategy
predicted_batches   selects predictions, and divides a batch into examples
heads               computes loss, metrics and predictions as canned Estimators did
column_layers       does the work of feature columns that no Keras layer does
keras_estimators    replaces `model_to_estimator`
layer_names         names layers as `tf.layers` did
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from modern.model_files import checkpoints, model_dirs, restoring
from modern.model_files.signatures import export, parsing, raw
from modern.porting import local_copies, predicted_batches
from modern.porting.cluster_strategy import strategy
from modern.porting.evaluated_training import evaluate, train, train_and_evaluate
from modern.porting.exporters import BestExporter, FinalExporter, LatestExporter
from modern.porting.keras_estimators import from_keras
from modern.porting.layer_names import LayerNames
from modern.porting.step_callbacks import CountSteps, Profile, SaveCheckpoints, StopAtNan
from modern.porting.stopping_callbacks import (
    StopIfHigher,
    StopIfLower,
    StopIfNoDecrease,
    StopIfNoIncrease,
)

__all__ = [
    "BestExporter",
    "FinalExporter",
    "LatestExporter",
    "LayerNames",
    "Profile",
    "SaveCheckpoints",
    "StopAtNan",
    "StopIfHigher",
    "StopIfLower",
    "StopIfNoDecrease",
    "StopIfNoIncrease",
    "callbacks",
    "evaluate",
    "export",
    "from_keras",
    "latest_checkpoint",
    "parsing",
    "predict",
    "raw",
    "restore",
    "strategy",
    "train",
    "train_and_evaluate",
]


def restore(model: tf_keras.Model, model_dir: str | None, **saves: Any) -> None:
    """Has a model live in a folder, as an Estimator: it goes on from the latest checkpoint there.

    A model whose variables come with its first batch knows its step at once, and takes the other
    values with that batch. The learning rate stays the program's own. The folder is the attribute
    `model_dir` of the model then.

    Args:
      model: compiled.
      model_dir: the folder; None where there is none.
      **saves: how often `callbacks` are to save there, as `SaveCheckpoints` takes it.

    Raises:
      CheckpointError: the checkpoint is damaged, of another model, or an Estimator's, which is to
        be converted first; at the first batch, where the variables come with that.
    """
    model_dirs.settle(model, model_dir, saves)
    if not model_dir:
        return
    if latest_checkpoint(model_dir):
        restoring.restore(model, model_dir)
    else:
        restoring.refuse_estimators(model, model_dir)


def latest_checkpoint(model_dir: str) -> str | None:
    """Returns the path of a folder's latest checkpoint; None where it has none.

    Args:
      model_dir: the folder.
    """
    return checkpoints.latest(model_dir)


def callbacks(model: tf_keras.Model | None = None) -> list[tf_keras.callbacks.Callback]:
    """Returns what an Estimator does in each training: it saves, and a loss of NaN ends it.

    Its steps are the batches that there were, too.

    Args:
      model: the model, which is saved to the folder that `restore` has given it, as often as
        `restore` was told; None to save nothing.
    """
    folder = model_dirs.of(model)
    saves = [SaveCheckpoints(folder, **model_dirs.saves_of(model))] if model and folder else []
    return [StopAtNan(), CountSteps(), *saves]


def predict(
    model: tf_keras.Model,
    data: tf.data.Dataset,
    predict_keys: Any = None,
    yield_single_examples: bool = True,
) -> Iterator[Any]:
    """Yields predictions as Estimator.predict: when they are asked for, example by example.

    Args:
      model: the model.
      data: features, or features and labels, in batches.
      predict_keys: which of the predictions: a name or a list; None for all.
      yield_single_examples: whether not whole batches.

    Raises:
      ValueError: `predict_keys` does not fit the predictions, or batch sizes differ.
    """
    for found in local_copies.predictions(model, data):
        found = predicted_batches.select(found, predict_keys)
        if yield_single_examples:
            yield from predicted_batches.examples(found)
        else:
            yield found
