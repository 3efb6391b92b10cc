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


def arguments_of(match: Match) -> dict[str, ast.expr] | None:
    """Returns the arguments of a call that makes an Estimator, by their names.

    Args:
      match: Name of the class.

    Returns:
      The values. None if `*` or `**` hides them, if there are too many, or if it is not called.
    """
    names = _PARAMETERS[match.name.rpartition(".")[2]]
    return arguments.bind(match.call, names) if match.call is not None else None
