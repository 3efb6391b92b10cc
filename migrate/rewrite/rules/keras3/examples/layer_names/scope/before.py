# migrate rewrite --unsafe
import tensorflow as tf
import tf_keras as keras
layer = keras.layers.Dense(1, name="tower/dense", kernel_initializer="ones")
x = layer(tf.ones([1, 2])).numpy()
