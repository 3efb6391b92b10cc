import tensorflow.compat.v1 as tf
cut = tf.fixed_size_partitioner(2)
x = list(cut(shape=tf.TensorShape([5]), dtype=tf.float32))
