"""The parts of tf.contrib that distributed Estimator jobs used, on today's TensorFlow.

    from legacy import contrib

    hparams = contrib.training.HParams(learning_rate=0.1, hidden_units=[64, 32])
    hparams.parse("learning_rate=0.01")

A part is imported when it is first used. What of tf.contrib is not here raises AttributeError that
says why and what to do instead; `left_out.json` is the list.
"""

from __future__ import annotations

import importlib
from typing import Any

from legacy import keras_choice
from legacy.contrib import _missing

keras_choice.use_legacy_keras()  # Before a part imports TensorFlow, which imports a Keras.

GROUPS = (
    "cluster_resolver",
    "crf",
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
    "tfprof",
    "tpu",
    "training",
    "util",
)


def __getattr__(name: str) -> Any:
    """Imports a part of contrib, or says why there is none."""
    if name in GROUPS:
        return importlib.import_module(f"{__name__}.{name}")
    raise _missing.error("", name)


def __dir__() -> list[str]:
    """Names all parts, whether or not they are imported yet."""
    return sorted({*globals(), *GROUPS})
