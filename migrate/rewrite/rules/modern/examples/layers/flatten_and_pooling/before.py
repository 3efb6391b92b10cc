import tensorflow.compat.v1 as tf
a = tf.reshape(tf.range(32.), [1, 4, 4, 2])
x = tf.layers.flatten(tf.layers.max_pooling2d(
    a,  # the images
    pool_size=2, strides=2))
y = tf.layers.average_pooling2d(inputs=a, pool_size=2, strides=1, padding='same')
z = tf.layers.dropout(a, 0.4, training=False)
