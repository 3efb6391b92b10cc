import tensorflow as tf
import tf_keras
numbers = [tf.feature_column.numeric_column('a')]
x = tf_keras.layers.DenseFeatures(numbers, name='first').name
