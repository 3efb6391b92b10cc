"""The Keras model of the first deep estimators, which libraries extend: `canned.dnn._DNNModel`.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     columns = [tf.feature_column.numeric_column("age")]
...     model = DNNModelV1(1, [8], columns, tf.nn.relu, None, None, False, name="dnn")
...     logits = model({"age": tf.constant([[30.0], [40.0]])}, "infer")
...     [variable.name for variable in model.trainable_variables][:2]
['hiddenlayer_0/kernel:0', 'hiddenlayer_0/bias:0']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned import layer_summaries
from legacy.estimator.canned.v2.dnn_model import BATCH_NORM_MOMENTUM
from legacy.estimator.mode_keys import ModeKeys

tf1 = tf.compat.v1


class DNNModelV1(tf_keras.Model):
    """Computes the logits of a deep network, with the names of the v1 API for its variables."""

    def __init__(
        self,
        units: int,
        hidden_units: Iterable[int],
        feature_columns: Sequence[Any],
        activation_fn: Callable[[tf.Tensor], tf.Tensor] | None,
        dropout: float | None,
        input_layer_partitioner: Any,
        batch_norm: bool,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        self._feature_columns = feature_columns
        self._input_layer_partitioner = input_layer_partitioner
        self._input_layer = None
        if columns_lib.all_v2(feature_columns):
            self._input_layer = tf1.keras.layers.DenseFeatures(feature_columns, name="input_layer")
        self._hidden_layers, self._dropout_layers, self._batch_norm_layers = [], [], []
        for index, size in enumerate(hidden_units):
            self._hidden_layers.append(_dense(size, activation_fn, f"hiddenlayer_{index}"))
            if dropout is not None:
                self._dropout_layers.append(tf1.layers.Dropout(rate=dropout))
            if batch_norm:
                scope = f"batchnorm_{index}"
                self._batch_norm_layers.append(
                    tf1.layers.BatchNormalization(
                        momentum=BATCH_NORM_MOMENTUM, name=scope, _scope=scope
                    )
                )
        self._logits_layer = _dense(units, None, "logits")

    def call(self, features: dict[str, Any], mode: str) -> tf.Tensor:
        """Returns the logits.

        Args:
          features: Dict of tensors or sparse tensors by name. The first dimension is the batch.
          mode: One of `ModeKeys`. TRAIN enables dropout and normalizes with the batch's statistics.
        """
        training = mode == ModeKeys.TRAIN
        net = self._input(features)
        for index, layer in enumerate(self._hidden_layers):
            net = layer(net)
            if self._dropout_layers and training:
                net = self._dropout_layers[index](net, training=True)
            if self._batch_norm_layers:
                net = self._batch_norm_layers[index](net, training=training)
            layer_summaries.add(net, layer.scope_name)
        logits = self._logits_layer(net)
        layer_summaries.add(logits, self._logits_layer.scope_name)
        return logits

    def _input(self, features: dict[str, Any]) -> tf.Tensor:
        partitioner = self._input_layer_partitioner
        with tf1.variable_scope("input_from_feature_columns", partitioner=partitioner):
            if self._input_layer is None:
                return tf1.feature_column.input_layer(features, self._feature_columns)
            return self._input_layer(features)


def _dense(units: int, activation: Any, scope: str) -> Any:
    return tf1.layers.Dense(
        units,
        activation=activation,
        kernel_initializer=tf1.glorot_uniform_initializer(),
        name=scope,
        _scope=scope,
    )
