import tensorflow.compat.v1 as tf
x = callable(tf.fixed_size_partitioner)
