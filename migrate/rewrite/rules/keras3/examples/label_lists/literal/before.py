import tensorflow as tf
import tf_keras
logits = tf.constant([[0.1, 2.0, -0.3], [-1.0, 0.5, 1.5]])
x = tf_keras.losses.sparse_categorical_crossentropy([1, 0], logits, from_logits=True)
