"""Batch normalization with the results of tf_keras and of tf.layers, in either Keras.

norm = normalization.BatchNormalization(momentum=0.9, epsilon=1e-5, name="norm")
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from modern.process import chosen_keras
from modern.process.chosen_keras import keras, tf_variable

_MOVING = ("moving_mean", "moving_variance")
# True since Keras 3.10.
_VARIABLES_SYNCHRONIZE = chosen_keras.version() == 3 and (
    "synchronization" in inspect.signature(keras.Variable).parameters
)


@keras.saving.register_keras_serializable(package="modern.layers")
class BatchNormalization(keras.layers.BatchNormalization):
    """Keras' batch normalization. In Keras 3, it differs from that of Keras in two points.

    - For images, channels last, it calls the operation that tf_keras and tf.layers call, which also
      is faster. Its moving variance is that of a sample: n / (n - 1) times that of the batch, where
      n is the number of values per channel. Keras 3 leaves out this factor, and so does this class
      with `synchronized=True` and for videos.
    - Each replica updates moving averages of its own, and a read returns their mean. A read from
      Keras 3 would return those of the first replica.

    Args:
      **kwargs: As for `keras.layers.BatchNormalization`.
    """

    def add_weight(self, *args: Any, **kwargs: Any) -> Any:
        """Creates a weight. Moving averages are reduced when they are read, as in tf_keras."""
        if chosen_keras.version() == 2 or kwargs.get("name") not in _MOVING:
            return super().add_weight(*args, **kwargs)
        if not _VARIABLES_SYNCHRONIZE:
            return self._add_synchronized(*args, **kwargs)
        # Keras' add_weight has no synchronization.
        with keras.name_scope(self.name, caller=self):
            return keras.Variable(
                kwargs["initializer"],
                shape=kwargs["shape"],
                dtype=kwargs.get("dtype") or self.variable_dtype,
                trainable=False,
                autocast=False,
                aggregation="mean",
                synchronization="on_read",
                name=kwargs["name"],
            )

    def _add_synchronized(self, *args: Any, **kwargs: Any) -> Any:
        """Creates a moving average with a Keras whose variables have no synchronization."""
        with tf.variable_creator_scope(_averaged_on_read):
            average = super().add_weight(*args, **kwargs)
        # Within the call of another layer, Keras creates the variable later, outside of the scope.
        is_late = not isinstance(tf_variable(average), tf.Variable)
        if is_late and tf.distribute.get_strategy().num_replicas_in_sync > 1:
            raise ValueError(
                f"{self.name} is built during the call of another layer, and keras "
                f"{keras.__version__} cannot average it over replicas there. Run: pip install "
                "'keras>=3.10'"
            )
        return average

    def call(self, inputs: Any, training: bool | None = None, mask: Any = None) -> Any:
        """Normalizes a batch, and updates the moving averages in training.

        Args:
          inputs: The batch. The layer has one value of each average for each element of `axis`.
          training: Whether the batch, and not the averages, determines mean and variance.
          mask: Boolean tensor, false for the elements to leave out.
        """
        if chosen_keras.version() == 2 or not training or not self.trainable:
            return super().call(inputs, training=training, mask=mask)
        # Keras has the attribute `renorm` since 3.14.
        is_plain = mask is None and not getattr(self, "renorm", False) and not self.synchronized
        if not is_plain or not _are_images(inputs) or self.axis not in (-1, 3):
            return super().call(inputs, training=training, mask=mask)
        if not chosen_keras.is_on_tensorflow():
            return self._corrected(inputs)
        channels = inputs.shape[-1]
        outputs, mean, variance = tf.compat.v1.nn.fused_batch_norm(
            inputs,
            _float32(self.gamma) if self.scale else tf.ones([channels]),
            _float32(self.beta) if self.center else tf.zeros([channels]),
            epsilon=self.epsilon,
            is_training=True,
        )
        for moving, value in ((self.moving_mean, mean), (self.moving_variance, variance)):
            average = tf_variable(moving)
            value = tf.cast(value, average.dtype)
            average.assign_sub((average - value) * (1.0 - self.momentum))
        return outputs

    def _corrected(self, inputs: Any) -> Any:
        """Normalizes a batch as Keras 3 does, and corrects the moving variance after that."""
        kept = self.momentum * keras.ops.convert_to_tensor(self.moving_variance)
        outputs = super().call(inputs, training=True)
        count = math.prod(keras.ops.shape(inputs)[:-1])
        added = keras.ops.convert_to_tensor(self.moving_variance) - kept
        self.moving_variance.assign(kept + added * (count / max(count - 1, 1)))
        return outputs


def _averaged_on_read(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
    """Creates a variable of which each replica has its own, and a read returns their mean."""
    kwargs["synchronization"] = tf.VariableSynchronization.ON_READ
    kwargs["aggregation"] = tf.VariableAggregation.MEAN
    return next_creator(**kwargs)


def _float32(weight: Any) -> tf.Tensor:
    return tf.cast(tf_variable(weight), tf.float32)


def _are_images(inputs: Any) -> bool:
    """Returns whether the fast operation takes the inputs."""
    dtype = chosen_keras.load().backend.standardize_dtype(inputs.dtype)
    return len(inputs.shape) == 4 and dtype in ("float16", "bfloat16", "float32")
