import tensorflow.compat.v1 as tf
import tf_keras
model = tf_keras.Sequential([tf_keras.layers.Dense(1, input_shape=[2])])
model.compile('sgd', 'mse', metrics=['acc', tf_keras.metrics.MeanAbsoluteError()])
x = len(model.layers)
