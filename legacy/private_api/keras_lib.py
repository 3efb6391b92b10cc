"""model_to_estimator as the original's private `keras_lib` has it: for both APIs.

from tensorflow_estimator.python.estimator import keras_lib

estimator = keras_lib.model_to_estimator(model, use_v2_estimator=True)
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
    """Makes an Estimator from a compiled model; see `legacy.estimator.keras.keras_model`.

    Args:
      keras_model: The model.
      keras_model_path: Instead of it, where it is saved.
      custom_objects: By name, what the model's configuration refers to and Keras does not know.
      model_dir: The Estimator's folder.
      config: Its RunConfig.
      checkpoint_format: "checkpoint" or "saver"; here "checkpoint" by default in both APIs.
      use_v2_estimator: Make one of the v2 API, instead of v1.
      metric_names_map: By the name that Keras gives a metric, its name in the evaluation.
      export_outputs: By the name of an output, the kind of ExportOutput to make from it.

    Returns:
      The Estimator.

    Raises:
      ValueError: An argument is wrong, or the model is not compiled.
      TypeError: The model is not one of tf-keras.
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
