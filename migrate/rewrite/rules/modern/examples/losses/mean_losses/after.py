import tensorflow.compat.v1 as tf
import tf_keras
a = tf.constant([[0., 1., 0.], [1., 0., 0.]])
b = tf.constant([[.1, 2., -.3], [-1., .5, 1.5]])
x = tf.reduce_mean(tf_keras.losses.mean_squared_error(a, b)), tf.reduce_mean(tf_keras.losses.mean_absolute_error(a, b))
y = tf.reduce_mean(tf_keras.losses.categorical_crossentropy(a, b, from_logits=True, label_smoothing=0.1)), \
    tf.reduce_mean(tf_keras.losses.binary_crossentropy(a, b, from_logits=True, label_smoothing=0.2)), \
    tf.reduce_mean(tf_keras.losses.sparse_categorical_crossentropy([1, 0], b, from_logits=True))
z = tf.reduce_mean(tf_keras.losses.huber(a, b, delta=0.7)), tf.reduce_mean(tf_keras.losses.hinge(a, b))
