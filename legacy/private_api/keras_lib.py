"""The model_to_estimator of the original's private `keras_lib`, for both APIs.

    from tensorflow_estimator.python.estimator import keras_lib

    estimator = keras_lib.model_to_estimator(model, use_v2_estimator=True)

The public functions of both APIs are in `legacy.estimator.keras.keras_model`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from legacy.estimator.estimator import Estimator
from legacy.estimator.keras import keras_model as public
from legacy.estimator.run_config import RunConfig


def model_to_estimator(
    keras_model: Any = None,
    keras_model_path: str | None = None,
    custom_objects: Mapping[str, Any] | None = None,
    model_dir: str | os.PathLike[str] | None = None,
    config: RunConfig | None = None,
    checkpoint_format: str | None = None,
    use_v2_estimator: bool = False,
    metric_names_map: Mapping[str, str] | None = None,
    export_outputs: Mapping[str, Any] | None = None,
) -> Estimator:
    """Creates an Estimator from a compiled model. See `legacy.estimator.keras.keras_model`.

    Args:
      keras_model: The model.
      keras_model_path: Path of a saved model, instead of `keras_model`.
      custom_objects: Objects by name that the model's configuration uses and Keras does not know.
      model_dir: Folder of the Estimator.
      config: Its RunConfig.
      checkpoint_format: "checkpoint" or "saver". Here "checkpoint" by default in both APIs.
      use_v2_estimator: If true, creates an Estimator of the v2 API instead of v1.
      metric_names_map: Name of each metric in the evaluation, by its Keras name.
      export_outputs: Kind of ExportOutput for each output, by name.

    Returns:
      The Estimator.

    Raises:
      ValueError: An argument is wrong, or the model is not compiled.
      TypeError: The model is not a tf-keras model.
    """
    convert = public.model_to_estimator_v2 if use_v2_estimator else public.model_to_estimator
    return convert(
        keras_model,
        keras_model_path,
        custom_objects,
        model_dir,
        config,
        checkpoint_format,
        metric_names_map,
        export_outputs,
    )
