import tensorflow.compat.v1 as tf
data = tf.data.Dataset.range(7).map(lambda x: 2 * x, num_parallel_calls=tf.data.experimental.AUTOTUNE).batch(3, drop_remainder=True)
data = data.apply(tf.data.experimental.unbatch()).batch(6)
x = tf.data.get_output_shapes(data).as_list()
y = tf.data.experimental.get_single_element(data)
