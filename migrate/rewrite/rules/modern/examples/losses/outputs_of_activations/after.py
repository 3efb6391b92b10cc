import tensorflow.compat.v1 as tf
data = tf.constant([[1., 2., 3.], [3., 1., 0.]])
onehot, labels = tf.constant([[1, 0, 0], [0, 1, 0]]), tf.constant([0, 1])
def network(x):
    return tf.layers.dense(x, 3, activation='sigmoid', kernel_initializer='ones')
probabilities = tf.nn.softmax(data)
x = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=tf.cast(onehot, tf.float32), logits=probabilities))
z = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.cast(onehot, tf.float32), logits=network(data)))
