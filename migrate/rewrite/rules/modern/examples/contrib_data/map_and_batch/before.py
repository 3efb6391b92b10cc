from legacy import contrib
import tensorflow.compat.v1 as tf
data = tf.data.Dataset.range(7).apply(
    contrib.data.map_and_batch(lambda x: 2 * x, 3, drop_remainder=True))
data = data.apply(contrib.data.unbatch()).batch(6)
x = tf.data.get_output_shapes(data).as_list()
y = tf.data.experimental.get_single_element(data)
