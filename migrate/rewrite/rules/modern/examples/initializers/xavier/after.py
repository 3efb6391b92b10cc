import tensorflow.compat.v1 as tf
import tf_keras
w = tf.abs(tf_keras.initializers.GlorotUniform()([100, 200]))
x = tf.reduce_max(w) <= 0.02 ** 0.5, tf.abs(tf.reduce_mean(w) - 0.0707) < 0.002
