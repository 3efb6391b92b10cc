import tensorflow as tf
import tf_keras as keras
labels = tf.constant([1, 0])
x = keras.losses.sparse_categorical_crossentropy(labels, tf.constant([[0.2, 0.8], [0.9, 0.1]]))
