import tensorflow.compat.v1 as tf
a = tf.constant([[0., 1., 0.], [1., 0., 0.]])
b = tf.constant([[.1, 2., -.3], [-1., .5, 1.5]])
x = tf.losses.mean_squared_error(a, b), tf.losses.absolute_difference(
    labels=a, predictions=b, weights=1.0, scope='here')
y = tf.losses.softmax_cross_entropy(a, b, label_smoothing=0.1), \
    tf.losses.sigmoid_cross_entropy(a, logits=b, label_smoothing=0.2), \
    tf.losses.sparse_softmax_cross_entropy(labels=[1, 0], logits=b)
z = tf.losses.huber_loss(a, b, delta=0.7), tf.losses.hinge_loss(a, b)
