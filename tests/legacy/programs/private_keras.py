"""Written for TensorFlow 1.15 or 2.1, with private modules of Keras; prints facts as JSON."""

import json

import library
import numpy as np
import tensorflow as tf
from tensorflow.python import keras
from tensorflow.python.feature_column import dense_features
from tensorflow.python.feature_column.feature_column_lib import DenseFeatures
from tensorflow.python.keras import backend as K
from tensorflow.python.keras.callbacks import EarlyStopping
from tensorflow.python.keras.engine.base_layer import InputSpec, Layer
from tensorflow.python.keras.engine.network import Network
from tensorflow.python.keras.engine.topology import Layer as SameLayer
from tensorflow.python.keras.layers import LSTM, Dense
from tensorflow.python.keras.layers.merge import Concatenate, _Merge
from tensorflow.python.keras.layers.normalization import BatchNormalization
from tensorflow.python.keras.layers.recurrent import LSTM as LSTM_V1
from tensorflow.python.keras.layers.recurrent_v2 import LSTM as LSTM_V2
from tensorflow.python.keras.layers.wrappers import Bidirectional
from tensorflow.python.keras.models import Sequential
from tensorflow.python.keras.optimizer_v2.optimizer_v2 import OptimizerV2
from tensorflow.python.keras.optimizers import SGD
from tensorflow.python.keras.preprocessing.image import load_img
from tensorflow.python.keras.preprocessing.sequence import pad_sequences
from tensorflow.python.keras.utils.generic_utils import CustomObjectScope
from tensorflow.python.layers import core as layers_core
from tensorflow.python.ops import rnn_cell_impl

tf1 = tf.compat.v1
same = {
    "Dense": Dense is tf.keras.layers.Dense,
    "InputSpec": InputSpec is tf.keras.layers.InputSpec,
    "Layer": Layer is SameLayer is tf.keras.layers.Layer,
    "LSTM": LSTM is tf.keras.layers.LSTM,
    "LSTM of each version": [LSTM_V1, LSTM_V2]
    == [tf1.keras.layers.LSTM, tf.compat.v2.keras.layers.LSTM],
    "BatchNormalization": issubclass(BatchNormalization, tf.keras.layers.BatchNormalization),
    "Bidirectional": Bidirectional is tf.keras.layers.Bidirectional,
    "Concatenate": Concatenate is tf.keras.layers.Concatenate and issubclass(Concatenate, _Merge),
    "Network": Network is tf.keras.Model,
    "EarlyStopping": EarlyStopping is tf.keras.callbacks.EarlyStopping,
    "OptimizerV2": OptimizerV2 is tf.keras.optimizers.Optimizer
    or OptimizerV2 is tf.keras.optimizers.legacy.Optimizer,
    "CustomObjectScope": CustomObjectScope is tf.keras.utils.CustomObjectScope,
    "backend": K.get_session is tf1.keras.backend.get_session,
    "pad_sequences": pad_sequences is tf.keras.preprocessing.sequence.pad_sequences,
    "load_img": load_img is tf.keras.preprocessing.image.load_img,
    "DenseFeatures": DenseFeatures is tf1.keras.layers.DenseFeatures
    and DenseFeatures is dense_features.DenseFeatures,
    "tf.layers": layers_core.Dense is tf1.layers.Dense,
    "cells": rnn_cell_impl.LSTMStateTuple is tf1.nn.rnn_cell.LSTMStateTuple,
}
names = {"tf": tf}
exec("from tensorflow.python.keras.layers import *", names)
same["import *"] = names["tf"] is tf and names["Dense"] is Dense

model = Sequential([keras.layers.LSTM(2, input_shape=(2, 1)), Dense(1)])
model.compile(SGD(0.1), "mse")
estimator = tf.keras.estimator.model_to_estimator(model)


def input_fn():
    return tf.data.Dataset.from_tensors((np.ones((2, 2, 1), "f4"), np.ones((2, 1), "f4")))


estimator.train(input_fn)
print(
    json.dumps(
        {
            "different": [name for name in same if not same[name]],
            "step": int(estimator.evaluate(input_fn)["global_step"]),
            "library": library.keras_layer() is Layer,
        }
    )
)
