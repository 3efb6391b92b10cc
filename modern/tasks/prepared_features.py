"""Features for a model on JAX or torch, which TensorFlow prepares in the input pipeline.

    batches = prepared_features.of(module, batches)
    model = prepared_features.model(module, batches.element_spec)

These backends have no text, and JAX computes with 32-bit integers. So the part of a job without
weights, such as the lookup of words, is mapped over the data. With the backend TensorFlow it is
part of the model, and an exported model takes raw columns.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras


def of(module: ModuleType, batches: tf.data.Dataset) -> tf.data.Dataset:
    """Returns batches with the features that the job's `build_logits` takes.

    Args:
      module: The job. A job without `build_features` takes the features as they are.
      batches: The batches of the job.

    Raises:
      tf.errors.InvalidArgumentError: While reading, if an integer needs more than 32 bits.
    """

    def prepare(features: Any, labels: Any) -> tuple[Any, Any]:
        if hasattr(module, "build_features"):
            features = module.build_features(features)
        return tf.nest.map_structure(_in_32_bits, (features, labels))

    return batches.map(prepare)


def _in_32_bits(tensor: tf.Tensor) -> tf.Tensor:
    if tensor.dtype != tf.int64:
        return tensor
    limit = tf.constant(tf.int32.max, tf.int64)
    message = "A feature or label has no place in 32 bits: hash it in build_features."
    with tf.control_dependencies([tf.debugging.assert_less_equal(tf.abs(tensor), limit, message)]):
        return tf.cast(tensor, tf.int32)


def model(module: ModuleType, batches: tf.data.Dataset) -> keras.Model:
    """Returns the model of a job from prepared features to logits.

    Args:
      module: The job.
      batches: Prepared batches, see `of`.
    """
    if not hasattr(module, "build_features"):
        return module.build_model()
    inputs = {
        name: keras.Input(spec.shape[1:], name=name, dtype=spec.dtype.name)
        for name, spec in batches.element_spec[0].items()
    }
    return keras.Model(inputs, module.build_logits(inputs))
