import tensorflow.compat.v1 as tf
a = tf.constant([[1., 2.], [3., 5.]])
x = tf.reduce_sum(a, axis=[1], keepdims=True)  # rows
y = tf.argmax(tf.nn.softmax(a, axis = 0), axis=1)
z = tf.squeeze(tf.expand_dims(a, axis=0), axis=[0])
