"""What an Estimator did around its model, for a Keras model; ported programs import it.

    porting.restore(model, "model_dir", save_secs=600)
    model.fit(train_data, callbacks=porting.callbacks(model))
    for prediction in porting.predict(model, data):
        print(prediction["classes"])
    porting.export(model, "export", serving)

The model is any compiled tf_keras.Model. It is saved to MODEL_DIR/checkpoints, with its optimizer
(modern/checkpoints.py). `python -m migrate rewrite --to=modern` writes programs that use this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from modern import alone, checkpoints, model_dirs, predicting, restoring
from modern.early_stopping import (
    StopIfHigher,
    StopIfLower,
    StopIfNoDecrease,
    StopIfNoIncrease,
)
from modern.evaluated_training import evaluate, train, train_and_evaluate
from modern.exporters import BestExporter, FinalExporter, LatestExporter
from modern.joining import strategy
from modern.keras_estimators import from_keras
from modern.layer_names import LayerNames
from modern.signatures import export, parsing, raw
from modern.step_callbacks import CountSteps, Profile, SaveCheckpoints, StopAtNan

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
    for found in alone.predictions(model, data):
        found = predicting.select(found, predict_keys)
        if yield_single_examples:
            yield from predicting.examples(found)
        else:
            yield found
