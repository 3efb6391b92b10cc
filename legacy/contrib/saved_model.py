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
      model: A model of legacy Keras.
      saved_model_path: Folder in which a folder with a timestamp as its name is created.
      custom_objects: Not used. The SavedModel contains all that is needed.
      as_text: Refused if true.
      input_signature: A `tf.function`, as `signatures` of `tf.keras.models.save_model`.
      serving_only: If true, leaves out the optimizer.

    Returns:
      The folder of the SavedModel.

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
    """Loads a model that `save_keras_model` wrote.

    Args:
      saved_model_path: Folder of the SavedModel.
      custom_objects: Classes and functions of the model, by name.

    Returns:
      The model.
    """
    import tf_keras  # Imported here because it takes seconds, and only this function needs it.

    return tf_keras.models.load_model(saved_model_path, custom_objects=custom_objects)


__getattr__ = _missing.attribute_of("saved_model")
