# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
a = tf.ones([2, 3])
ones = tf.ones_initializer()
x = tf.layers.dense(a, 2, activation=tf.nn.relu, kernel_initializer=ones)
y = tf.layers.batch_normalization(a * 3, momentum=0.9, training=False)
z = tf.layers.conv2d(tf.ones([1, 3, 3, 1]), 1, 2, kernel_initializer=ones, name='first')
