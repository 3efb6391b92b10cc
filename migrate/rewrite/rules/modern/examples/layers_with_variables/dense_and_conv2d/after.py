# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
import tf_keras
a = tf.ones([2, 3])
ones = tf.ones_initializer()
x = tf_keras.layers.Dense(2, activation=tf.nn.relu, kernel_initializer=ones)(a)
y = tf_keras.layers.BatchNormalization(momentum=0.9)(a * 3, training=False)
z = tf_keras.layers.Conv2D(1, 2, kernel_initializer=ones, name='first')(tf.ones([1, 3, 3, 1]))
