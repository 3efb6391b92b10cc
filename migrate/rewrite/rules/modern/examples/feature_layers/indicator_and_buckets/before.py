# migrate rewrite --api=v2
import tensorflow as tf
import tf_keras
column = tf.feature_column
features = {'age': tf.constant([17., 40.]), 'words': tf.constant([['x', 'x'], ['y', 'z']])}
ages = column.numeric_column('age')
words = column.categorical_column_with_vocabulary_list('words', ['x', 'y'])
columns = [column.indicator_column(words),
           column.bucketized_column(ages, [18, 30])]
layer = tf_keras.layers.DenseFeatures(columns)
x = layer(features)
