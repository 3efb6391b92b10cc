"""The public API for ported programs: the services of an Estimator, for a Keras model.

    porting.restore(model, "model_dir", save_secs=600)
    model.fit(train_data, callbacks=porting.callbacks(model))
    for prediction in porting.predict(model, data):
        print(prediction["classes"])
    porting.export(model, "export", serving)

The model is any compiled keras.Model. It is saved to MODEL_DIR/checkpoints, with its optimizer
(modern/model_files/checkpoints.py). `python -m migrate rewrite --to=modern` writes programs that
use this package.

Files in reading order:
training            trains and evaluates, alone or as one task of a cluster
graph_inputs        reads input functions that return tensors of a graph
array_datasets      makes datasets of arrays, with the batches of contrib.learn
predicted_batches   selects predictions and splits a batch into examples
heads               computes loss, metrics and predictions as canned Estimators did
added_metrics       adds the metrics of a function to evaluations
column_layers       replaces feature columns for which Keras has no layer
column_models       takes feature columns themselves, in linear and deep models
keras_estimators    replaces `model_to_estimator`
named_weights       names weights as an Estimator did
chosen_checkpoints  evaluates other checkpoints than the latest
warm_starts         initializes weights from another checkpoint
layer_names         names layers as `tf.layers` did
float_types         lets layers compute in the float type of their input
schedules           computes learning rates by functions of the step
shaped_weights      makes weights and layers whose shape is known at their first use
streaming_metrics   runs functions that make metrics with `tf.metrics`
bags_of_words       averages the embeddings of words, as tf.contrib.layers.bow_encoder did
recurrent_layers    runs cells of `tf.nn.rnn_cell` over sequences
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from modern.model_files import checkpoints, intact, model_dirs, restoring
from modern.model_files.signatures import export, parsing, raw
from modern.porting import chosen_checkpoints, predicted_batches
from modern.porting.added_metrics import add_metrics
from modern.porting.array_datasets import array_dataset
from modern.porting.bags_of_words import BagOfWords
from modern.porting.chosen_checkpoints import (
    checkpoint_state,
    checkpoints_iterator,
    latest_checkpoint,
)
from modern.porting.float_types import keep_float_types
from modern.porting.graph_inputs import graph_dataset
from modern.porting.keras_estimators import from_keras
from modern.porting.layer_names import LayerNames
from modern.porting.named_weights import (
    list_variables,
    load_variable,
    variable_names,
    variable_value,
)
from modern.porting.predicted_batches import concatenated
from modern.porting.schedules import Schedule
from modern.porting.shaped_weights import SizedLayer, Weight
from modern.porting.streaming_metrics import StreamingMetrics
from modern.porting.training.cluster_strategy import strategy
from modern.porting.training.evaluated_training import evaluate, train, train_and_evaluate
from modern.porting.training.exporters import BestExporter, FinalExporter, LatestExporter
from modern.porting.training.log_lines import LogLoss
from modern.porting.training.step_callbacks import CountSteps, Profile, SaveCheckpoints, StopAtNan
from modern.porting.training.stopping_callbacks import (
    StopIfHigher,
    StopIfLower,
    StopIfNoDecrease,
    StopIfNoIncrease,
)
from modern.porting.warm_starts import WarmStartSettings, warm_start
from modern.process.chosen_keras import keras
from modern.training.steps import fast_steps, whole_steps

__all__ = [
    "BagOfWords",
    "BestExporter",
    "FinalExporter",
    "LatestExporter",
    "LayerNames",
    "Profile",
    "SaveCheckpoints",
    "Schedule",
    "SizedLayer",
    "StopAtNan",
    "StopIfHigher",
    "StopIfLower",
    "StopIfNoDecrease",
    "StopIfNoIncrease",
    "StreamingMetrics",
    "WarmStartSettings",
    "Weight",
    "add_metrics",
    "array_dataset",
    "callbacks",
    "checkpoint_state",
    "checkpoints_iterator",
    "concatenated",
    "evaluate",
    "export",
    "from_keras",
    "graph_dataset",
    "keep_float_types",
    "latest_checkpoint",
    "list_variables",
    "load_variable",
    "parsing",
    "predict",
    "raw",
    "restore",
    "strategy",
    "train",
    "train_and_evaluate",
    "variable_names",
    "variable_value",
    "warm_start",
]


def restore(model: keras.Model, model_dir: str | None, **saves: Any) -> None:
    """Ties a model to a folder, and restores the latest checkpoint in it, as an Estimator did.

    If the first batch creates the model's variables, the step is restored at once and the other
    values with that batch. The program's own learning rate is kept. The folder becomes the
    attribute `model_dir` of the model.

    Args:
      model: The compiled model.
      model_dir: The folder. None if the model has none.
      **saves: The save interval for `callbacks`, as arguments of `SaveCheckpoints`.

    Raises:
      CheckpointError: The checkpoint is of another model, or an Estimator's, which must be
        converted first. If the first batch creates the variables, that batch raises it.
      SystemExit: The folder has checkpoints, and all of them are damaged (code 2).
    """
    model_dirs.settle(model, model_dir, saves)
    whole_steps.wait_for_data(model)
    fast_steps.speed_up(model)
    if not model_dir:
        return
    model_dirs.note_checkpoint(model, checkpoints.latest(model_dir))
    with intact.or_exit():
        path = checkpoints.newest(model_dir)
    if path:
        restoring.restore(model, model_dir)
    else:
        restoring.refuse_estimators(model, model_dir)


def callbacks(model: keras.Model | None = None) -> list[keras.callbacks.Callback]:
    """Returns callbacks for `fit` that save, log, count steps, and stop at a loss of NaN.

    An Estimator did all of this in each training. It logged the loss at the level INFO.

    Args:
      model: The model. It is saved to the folder and at the interval of its `restore` call. None
        saves nothing.
    """
    if model is not None:
        restoring.restore_built(model)  # Before the start of the training is saved.
    folder = model_dirs.of(model)
    saves = [SaveCheckpoints(folder, **model_dirs.saves_of(model))] if model and folder else []
    return [StopAtNan(), LogLoss(), CountSteps(), *saves]


def predict(
    model: keras.Model,
    data: tf.data.Dataset,
    predict_keys: Any = None,
    yield_single_examples: bool = True,
    checkpoint_path: str | None = None,
) -> Iterator[Any]:
    """Yields predictions one by one as they are consumed, like Estimator.predict.

    Args:
      model: The model.
      data: Features, or features and labels, in batches.
      predict_keys: The name of a prediction, or a list of names. None for all.
      yield_single_examples: If true, yields one example at a time instead of whole batches.
      checkpoint_path: Checkpoint with the weights to use. None for those of the model.

    Raises:
      CheckpointError: The checkpoint cannot be read, or is of another model.
      ValueError: `predict_keys` does not fit the predictions, or batch sizes differ.
    """
    for batch in chosen_checkpoints.predictions(model, data, checkpoint_path):
        batch = predicted_batches.select(batch, predict_keys)
        if yield_single_examples:
            yield from predicted_batches.examples(batch)
        else:
            yield batch
