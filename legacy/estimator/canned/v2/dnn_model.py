"""The deep model of the v2 API, a Keras model of legacy Keras layers for feature columns.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     model = DNNModel(1, [8], [tf.feature_column.numeric_column("age")])
...     logits = model({"age": tf.constant([[30.0], [40.0]])}, mode="infer")
...     [variable.name for variable in model.trainable_variables][:2]
['dnn/hiddenlayer_0/kernel:0', 'dnn/hiddenlayer_0/bias:0']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.canned import argument_texts, layer_summaries
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.docstrings import documented
from legacy.estimator.mode_keys import ModeKeys

tf1 = tf.compat.v1

# As in contrib.layers.batch_norm. The Keras default of 0.99 forgets too fast for small batches.
BATCH_NORM_MOMENTUM = 0.999


def check_units(units: Any) -> None:
    """Checks the number of logits.

    Args:
      units: Number of logits.

    Raises:
      ValueError: If it is not an int.
    """
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")


@documented(argument_texts.DNN | argument_texts.V2)
class DNNModel(tf_keras.Model):
    """Computes logits of shape [batch_size, units] from a dict of features.

    {args}

    Raises:
      ValueError: If `units` is not an int, or if a column is a v1 column.
    """

    def __init__(
        self,
        units: int,
        hidden_units: Iterable[int],
        feature_columns: Iterable[Any],
        activation_fn: Callable[[tf.Tensor], tf.Tensor] | None = tf.nn.relu,
        dropout: float | None = None,
        batch_norm: bool = False,
    ) -> None:
        check_units(units)
        columns_lib.refuse_v1(feature_columns)
        super().__init__(name="dnn")
        self._input = tf_keras.layers.DenseFeatures(
            feature_columns, name="input_from_feature_columns/input_layer"
        )
        self._hidden, self._dropouts, self._norms = [], [], []
        for index, size in enumerate(hidden_units):
            name = f"hiddenlayer_{index}"
            self._hidden.append(_dense(size, activation_fn, name))
            if dropout is not None:
                self._dropouts.append(tf_keras.layers.Dropout(rate=dropout))
            if batch_norm:
                self._norms.append(
                    tf_keras.layers.BatchNormalization(
                        momentum=BATCH_NORM_MOMENTUM, name=f"{name}/batchnorm_{index}"
                    )
                )
        self._logits = _dense(units, None, "logits")

    def call(self, features: dict[str, Any], mode: str) -> tf.Tensor:
        """Returns the logits.

        Args:
          features: Dict of tensors or sparse tensors by name. The first dimension is the batch.
          mode: One of `ModeKeys`. TRAIN enables dropout and normalizes with the batch's statistics.

        Returns:
          A float32 tensor of shape [batch_size, units].
        """
        training = mode == ModeKeys.TRAIN
        net = self._input(features, training=training)
        for index, layer in enumerate(self._hidden):
            net = layer(net)
            if self._dropouts and training:
                net = self._dropouts[index](net, training=True)
            if self._norms:
                net = self._norms[index](net, training=training)
            layer_summaries.add(net, layer.name)
        logits = self._logits(net)
        layer_summaries.add(logits, self._logits.name)
        return logits


def _dense(units: int, activation: Any, name: str) -> tf_keras.layers.Dense:
    return tf_keras.layers.Dense(
        units,
        activation=activation,
        kernel_initializer=tf1.glorot_uniform_initializer(),
        name=name,
    )
