"""Selects legacy Keras for tf.compat.v1.layers, which the Estimator era needs.

    from legacy import keras_choice

    keras_choice.use_legacy_keras()

Model functions of that era use `tf.compat.v1.layers`. TensorFlow 2.16 and later provide it only
with legacy Keras. TensorFlow reads an environment variable once per process to select the Keras.
This module sets the variable, so that a user need not know of it. Importing `legacy.estimator` sets
it.
"""

import importlib
import os
import sys

_VARIABLE = "TF_USE_LEGACY_KERAS"


def use_legacy_keras() -> None:
    """Selects legacy Keras for `tf.compat.v1.layers`, if that is still possible.

    Raises:
      ImportError: The environment selects Keras 3, or TensorFlow has already loaded it.
    """
    value = os.environ.setdefault(_VARIABLE, "1")
    if value not in ("1", "true", "True"):
        raise ImportError(
            f"{_VARIABLE}={value!r} asks for Keras 3, with which tf.compat.v1.layers does not "
            f"work. Unset {_VARIABLE}, or set it to 1, to use legacy."
        )
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is None or hasattr(tensorflow.compat.v1.layers, "dense"):
        return
    # TensorFlow has already looked up Keras for the v1 layers, and caches the result. Importing
    # tf-keras puts its own layers there.
    importlib.import_module("tf_keras")
    if not hasattr(tensorflow.compat.v1.layers, "dense"):
        raise ImportError(
            "TensorFlow has already loaded Keras 3 for tf.compat.v1.layers in this process, and "
            f"cannot change that. Import legacy before TensorFlow is used, or set {_VARIABLE}=1 "
            "in the environment; tf-keras must be installed in TensorFlow's minor version."
        )
