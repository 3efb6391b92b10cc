"""Layers that compute in the float type of their input, as in TensorFlow 1.

>>> import tensorflow as tf
>>> import tf_keras
>>> tf_keras.layers.Dense(1)(tf.ones([1, 1], tf.float64)).dtype.name
'float32'
>>> keep_float_types()
>>> tf_keras.layers.Dense(1)(tf.ones([1, 1], tf.float64)).dtype.name
'float64'
>>> cast_float_types()

NumPy, pandas and scikit-learn make arrays of float64. A model_fn that did not cast them had weights
of float64 in TensorFlow 1.
https://www.tensorflow.org/api_docs/python/tf/compat/v1/keras/layers/disable_v2_dtype_behavior
"""

from __future__ import annotations

import tf_keras

# The functions are public as tf.compat.v1.keras.layers, which is another Keras if the program has
# not selected tf_keras.
from tf_keras.api._v1.keras import layers as v1_layers


def keep_float_types() -> None:
    """Lets layers compute in the float type of their first input, and have weights of that type.

    Without it, a layer casts its input to float32. It has an effect on layers that the process
    creates from now on. Mixed precision cannot be selected afterwards.
    """
    v1_layers.disable_v2_dtype_behavior()


def cast_float_types() -> None:
    """Lets layers cast their input, as is the default in TensorFlow 2."""
    v1_layers.enable_v2_dtype_behavior()


def are_cast() -> bool:
    """Says whether new layers cast their input to float32. Mixed precision casts to 16 bits."""
    name: str = tf_keras.mixed_precision.global_policy().name
    return name == "float32"
