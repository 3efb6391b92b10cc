"""Layers that compute in the float type of their input, as in TensorFlow 1.

>>> import tensorflow as tf
>>> import tf_keras as keras
>>> keras.layers.Dense(1)(tf.ones([1, 1], tf.float64)).dtype.name
'float32'
>>> keep_float_types()
>>> keras.layers.Dense(1)(tf.ones([1, 1], tf.float64)).dtype.name
'float64'
>>> cast_float_types()

NumPy, pandas and scikit-learn make arrays of float64. A model_fn that did not cast them had weights
of float64 in TensorFlow 1.
https://www.tensorflow.org/api_docs/python/tf/compat/v1/keras/layers/disable_v2_dtype_behavior
"""

from __future__ import annotations

from typing import Any

from modern.process import chosen_keras


def keep_float_types() -> None:
    """Lets layers compute in the float type of their first input, and have weights of that type.

    Without it, a layer casts its input to float32. It has an effect on layers that the process
    creates from now on. Mixed precision cannot be selected afterwards.

    Raises:
      RuntimeError: The process uses Keras 3, which has no such behavior.
    """
    _v1_layers().disable_v2_dtype_behavior()


def cast_float_types() -> None:
    """Lets layers cast their input, as is the default in TensorFlow 2."""
    _v1_layers().enable_v2_dtype_behavior()


def _v1_layers() -> Any:
    """Returns the layers of the API v1 of tf_keras.

    They are public as tf.compat.v1.keras.layers, which is another Keras if the program has not
    selected tf_keras.
    """
    if chosen_keras.version() == 3:
        raise RuntimeError("Layers of Keras 3 have one float type: give them dtype instead.")
    from tf_keras.api._v1.keras import layers

    return layers


def are_cast() -> bool:
    """Says whether new layers cast their input to float32. Mixed precision casts to 16 bits."""
    name: str = chosen_keras.load().mixed_precision.global_policy().name
    return name == "float32"
