import tensorflow.compat.v1 as tf
a = tf.constant([[1., 2.], [3., 5.]])
x = tf.reduce_sum(a, reduction_indices=[1], keep_dims=True)  # rows
y = tf.argmax(tf.nn.softmax(a, dim = 0), dimension=1)
z = tf.squeeze(tf.expand_dims(a, dim=0), squeeze_dims=[0])
