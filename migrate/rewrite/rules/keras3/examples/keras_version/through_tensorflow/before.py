import tensorflow as tf
from tensorflow.keras import layers
from tensorflow import keras as K2
layer = layers.Dense(2, kernel_initializer="ones", activation=K2.activations.relu)
optimizer = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.5)
x, y = layer(tf.ones([1, 2])).numpy(), float(optimizer(10))
