import tensorflow.compat.v1 as tf
fused = tf.data.experimental.map_and_batch(lambda x: x, 2)
x = callable(fused)
