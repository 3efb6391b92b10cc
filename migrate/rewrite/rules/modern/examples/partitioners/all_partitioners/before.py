import tensorflow as tf
shape = tf.TensorShape([4096, 64])
x = list(tf.fixed_size_partitioner(3)(shape=shape, dtype=tf.float32))
y = list(tf.min_max_variable_partitioner(max_partitions=4, axis=0)(shape=shape, dtype=tf.float32))
z = list(tf.variable_axis_size_partitioner(2 ** 18, max_shards=3)(shape=shape, dtype=tf.float32))
