from legacy import contrib
import tensorflow.compat.v1 as tf
x = tf.layers.dense
