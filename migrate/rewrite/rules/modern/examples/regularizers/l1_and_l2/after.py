import tensorflow.compat.v1 as tf
import tf_keras
w = tf.constant([1.0, -2.0])
decay = 0.3
x = tf_keras.regularizers.L2(0.5 * decay)(w)
y = tf_keras.regularizers.L1(decay + 0.1)(w)
z = tf_keras.regularizers.L1L2(l1=1.0, l2=0.5 * (decay - 0.1))(w)
