import tensorflow.compat.v1 as tf
column = tf.feature_column
features = {'a': [[1.], [20.]], 'w': tf.constant([['x'], ['z']])}
a = column.numeric_column('a')
columns = [column.bucketized_column(a, [5., 10.]), a]
x = tf.feature_column.input_layer(features, columns)
