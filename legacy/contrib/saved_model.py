"""tf.contrib.saved_model: Keras models as SavedModels.

path = saved_model.save_keras_model(model, "/tmp/export")
model = saved_model.load_keras_model(path)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.estimator.export import saved_model


def save_keras_model(
    model: Any,
    saved_model_path: str,
    custom_objects: dict[str, Any] | None = None,
    as_text: bool = False,
    input_signature: Any = None,
    serving_only: bool = False,
) -> str:
    """Writes a Keras model as a SavedModel.

    Args:
      model: The model, of legacy Keras.
      saved_model_path: The folder in which a folder named by the time is made.
      custom_objects: Not used: the SavedModel has what is needed.
      as_text: Refused.
      input_signature: As `signatures` of `tf.keras.models.save_model`: a `tf.function`.
      serving_only: Leave out the training.

    Returns:
      The SavedModel's folder.

    Raises:
      NotImplementedError: `as_text` is true.
    """
    del custom_objects
    if as_text:
        _missing.refuse("saved_model.save_keras_model.as_text")
    path = tf.compat.as_str(saved_model.get_timestamped_export_dir(saved_model_path))
    model.save(
        path, save_format="tf", include_optimizer=not serving_only, signatures=input_signature
    )
    return path


def load_keras_model(saved_model_path: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """Reads what `save_keras_model` has written.

    Args:
      saved_model_path: The SavedModel's folder.
      custom_objects: By name, classes and functions of the model.

    Returns:
      The model.
    """
    import tf_keras  # Takes seconds, and only this needs it.

    return tf_keras.models.load_model(saved_model_path, custom_objects=custom_objects)


__getattr__ = _missing.attribute_of("saved_model")
