"""Which Keras stands behind tf.compat.v1.layers: the Estimator era needs legacy Keras.

    from legacy import keras_choice

    keras_choice.use_legacy_keras()

Model functions of that era use `tf.compat.v1.layers`, which TensorFlow 2.16 and later only have
with legacy Keras. An environment variable decides, once per process, which Keras that is; it is set
here, so that a user need not know of it. Whoever imports `legacy.estimator` has it set.
"""

import importlib
import os
import sys

_VARIABLE = "TF_USE_LEGACY_KERAS"


def use_legacy_keras() -> None:
    """Chooses legacy Keras for `tf.compat.v1.layers`, where that is still possible.

    Raises:
      ImportError: The environment asks for Keras 3, or TensorFlow has already settled for it.
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
    # TensorFlow has looked up Keras for the v1 layers already, and keeps what it found; tf-keras
    # puts its own there when it is imported.
    importlib.import_module("tf_keras")
    if not hasattr(tensorflow.compat.v1.layers, "dense"):
        raise ImportError(
            "TensorFlow has already loaded Keras 3 for tf.compat.v1.layers in this process, and "
            f"cannot change that. Import legacy before TensorFlow is used, or set {_VARIABLE}=1 "
            "in the environment; tf-keras must be installed in TensorFlow's minor version."
        )
