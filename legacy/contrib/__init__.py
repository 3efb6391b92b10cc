"""The parts of tf.contrib that distributed Estimator jobs used, on today's TensorFlow.

    from legacy import contrib

    hparams = contrib.training.HParams(learning_rate=0.1, hidden_units=[64, 32])
    hparams.parse("learning_rate=0.01")

A part is imported on first use. A name of tf.contrib that is not provided raises AttributeError
with the reason and the alternative. `left_out.json` lists these names.

Files in reading order:
_missing          raises the errors for names of tf.contrib that are not provided
training          provides HParams, bucketing, train ops and evaluation loops
framework         provides arg_scope, variables, tensor checks and checkpoint assignment
layers            builds layers, regularizers and feature columns, and optimizes a loss
losses            computes losses and adds them to a collection
metrics           computes streaming metrics
learn             provides the Estimator before tf.estimator, Experiment and learn_runner
estimator         extends tf.estimator with heads, hooks, RNNs and replicated model functions
predictor         calls a SavedModel or an Estimator with arrays
saved_model       saves and loads Keras models as SavedModels
distribute        maps the strategies of TensorFlow 1 to those of today
cluster_resolver  locates the tasks of a cluster
tpu               runs TPUEstimator on CPUs and GPUs
data              transforms datasets
feature_column    reads columns of sequences
lookup            maps between words and ids
summary           writes summaries by operations of the graph
deprecated        writes summaries by tag, as before TensorFlow 1.0
rnn               provides RNN cells and bidirectional networks
cudnn_rnn         computes LSTMs over whole sequences, as cuDNN does
seq2seq           decodes sequences, with attention
_as_written       exempts a method from AutoGraph and keeps its signature
crf               computes linear-chain conditional random fields
nn                computes losses with logits before labels, and other functions of networks
opt               provides optimizers
linear_optimizer  trains linear models by stochastic dual coordinate ascent
factorization     clusters points by k-means
slim              builds networks and runs training and evaluation loops
image             rotates, translates and transforms images
image_distortion  changes hue, saturation and value of images
distributions     exports the probability distributions that TensorFlow took over
stateless         draws random numbers from an explicit seed
eager             exports eager execution as it was before TensorFlow 2
keras             exports Keras as TensorFlow 1 had it
tensorboard       configures TensorBoard's plugins
tfprof            profiles a graph
testing           checks the summaries that a test's model has written
_graph_and_eager  runs tests in graph mode and eagerly
util              converts tensors to and from protocol buffers
"""

from __future__ import annotations

import importlib
from typing import Any

from legacy import keras_choice
from legacy.contrib import _missing

keras_choice.use_legacy_keras()  # First: importing TensorFlow selects a Keras version.

GROUPS = (
    "cluster_resolver",
    "crf",
    "cudnn_rnn",
    "data",
    "deprecated",
    "distribute",
    "distributions",
    "eager",
    "estimator",
    "factorization",
    "feature_column",
    "framework",
    "image",
    "keras",
    "layers",
    "learn",
    "linear_optimizer",
    "lookup",
    "losses",
    "metrics",
    "nn",
    "opt",
    "predictor",
    "rnn",
    "saved_model",
    "seq2seq",
    "slim",
    "stateless",
    "summary",
    "tensorboard",
    "testing",
    "tfprof",
    "tpu",
    "training",
    "util",
)


def __getattr__(name: str) -> Any:
    """Imports a part of contrib, or raises an error that says why it is not provided."""
    if name in GROUPS:
        return importlib.import_module(f"{__name__}.{name}")
    raise _missing.error("", name)


def __dir__() -> list[str]:
    """Returns the names of all parts, including those that are not imported yet."""
    return sorted({*globals(), *GROUPS})
