from legacy import keras_choice

keras_choice.use_legacy_keras()  # Before TensorFlow is imported.
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.layers.dense(tf.zeros([2, 3]), 4).shape.as_list()
