import tensorflow as tf
shape = tf.TensorShape([4096, 64])
x = list(tf.distribute.experimental.partitioners.FixedShardsPartitioner(num_shards=3)(shape=shape, dtype=tf.float32))
y = list(tf.distribute.experimental.partitioners.MinSizePartitioner(max_shards=4)(shape=shape, dtype=tf.float32))
z = list(tf.distribute.experimental.partitioners.MaxSizePartitioner(max_shard_bytes=2 ** 18, max_shards=3)(shape=shape, dtype=tf.float32))
