import tensorflow.compat.v1 as tf
import tensorflow.compat.v2 as tf2
cut = tf2.distribute.experimental.partitioners.FixedShardsPartitioner(num_shards=2)
x = list(cut(shape=tf.TensorShape([5]), dtype=tf.float32))
