import tensorflow.compat.v1 as tf
import tf_keras
x = tf_keras.initializers.Constant(value=0.5)([2]), tf_keras.initializers.Ones()([2])
w = tf_keras.initializers.TruncatedNormal(stddev=0.1)([100])
y = tf.reduce_max(tf.abs(w)) <= 0.2
