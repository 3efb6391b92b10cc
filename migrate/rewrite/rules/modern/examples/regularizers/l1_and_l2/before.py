from legacy import contrib
import tensorflow.compat.v1 as tf
w = tf.constant([1.0, -2.0])
decay = 0.3
x = contrib.layers.l2_regularizer(scale=decay)(w)
y = contrib.layers.l1_regularizer(decay + 0.1)(w)
z = contrib.layers.l1_l2_regularizer(scale_l2=decay - 0.1)(w)
