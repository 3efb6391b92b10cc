"""The public names of Estimator classes, and their positional parameters.

>>> "tf.estimator.DNNClassifier" in CANNED
True
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.source_file import Match

# Arguments of a TPUEstimator.
BATCH_SIZES = ("train_batch_size", "eval_batch_size", "predict_batch_size")
_FROM_KERAS = ("keras_model", "keras_model_path", "custom_objects", "model_dir", "config")
# The leading parameters of the classes. Later ones are keyword-only here.
_PARAMETERS = {
    "Estimator": ("model_fn", "model_dir", "config", "params", "warm_start_from"),
    "BaselineClassifier": ("model_dir",),
    "BaselineRegressor": ("model_dir",),
    "DNNClassifier": ("hidden_units", "feature_columns", "model_dir"),
    "DNNEstimator": ("head", "hidden_units", "feature_columns", "model_dir"),
    "DNNLinearCombinedClassifier": ("model_dir",),
    "DNNLinearCombinedEstimator": ("head", "model_dir"),
    "DNNLinearCombinedRegressor": ("model_dir",),
    "DNNRegressor": ("hidden_units", "feature_columns", "model_dir"),
    "LinearClassifier": ("feature_columns", "model_dir"),
    "LinearEstimator": ("head", "feature_columns", "model_dir"),
    "LinearRegressor": ("feature_columns", "model_dir"),
    "TPUEstimator": ("model_fn", "model_dir", "config", "params", "use_tpu", *BATCH_SIZES),
    "model_to_estimator": _FROM_KERAS,
    "model_to_estimator_v2": _FROM_KERAS,
}
OF_KERAS = tuple(
    f"tf.estimator.keras.keras_model.{name}"
    for name in _PARAMETERS
    if _PARAMETERS[name] == _FROM_KERAS
)
OF_TPU = ("tf.contrib.tpu.TPUEstimator", "tf.estimator.tpu.TPUEstimator")
WITH_MODEL_FN = ("tf.estimator.Estimator", *OF_TPU)
# Canned Estimators that take a head. tf.contrib.estimator had them before tf.estimator.
OF_CONTRIB = tuple(
    f"tf.contrib.estimator.{model}Estimator" for model in ("DNN", "DNNLinearCombined", "Linear")
)
CANNED = tuple(
    sorted(
        name
        for name in (
            *(f"tf.estimator.{last}" for last in _PARAMETERS if last[0].isupper()),
            *OF_CONTRIB,
        )
        if name not in ("tf.estimator.Estimator", "tf.estimator.TPUEstimator")
    )
)

_LEARN = "tf.contrib.learn."
_OF_LEARN = ("Estimator", "Classifier", "Regressor", "KMeansClustering", "SVM", "GMM")


def is_of_learn(name: str) -> bool:
    """Says whether a public name is a class of contrib.learn's own Estimators."""
    last = name.rpartition(".")[2]
    return name.startswith(_LEARN) and last.endswith(_OF_LEARN) and last[:1].isupper()


def problem_of_learn(name: str) -> str:
    """Returns the reason why a canned Estimator of contrib.learn stays.

    Args:
      name: Public name of its class.
    """
    last = name.rpartition(".")[2]
    successor = {"KMeansClustering": "experimental.KMeans"}.get(last, last)
    return (
        "an Estimator of contrib.learn has columns of contrib.layers and other names of variables, "
        "metrics and signatures than one of tf.estimator: replace it by "
        f"tf.estimator.{successor} first"
    )


def arguments_of(match: Match) -> dict[str, ast.expr] | None:
    """Returns the arguments of a call that makes an Estimator, by their names.

    Args:
      match: Name of the class.

    Returns:
      The values. None if `*` or `**` hides them, if there are too many, or if it is not called.
    """
    names = _PARAMETERS[match.name.rpartition(".")[2]]
    return arguments.bind(match.call, names) if match.call is not None else None
