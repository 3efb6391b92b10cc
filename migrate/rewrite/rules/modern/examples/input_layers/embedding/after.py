# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
import tf_keras
column = tf.feature_column
features = {'a': [[1.], [20.]], 'w': tf.constant([['x'], ['z']])}
a = column.numeric_column('a')
columns = [column.bucketized_column(a, [5., 10.]), a]
w = column.categorical_column_with_hash_bucket('w', 9)
table = column.embedding_column(w, 2, initializer=tf.ones_initializer())
x = tf_keras.layers.DenseFeatures([*columns, table])(features)
