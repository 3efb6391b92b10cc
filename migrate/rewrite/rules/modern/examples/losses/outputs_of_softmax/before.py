# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
data = tf.constant([[1., 2., 3.], [3., 1., 0.]])
onehot, labels = tf.constant([[1, 0, 0], [0, 1, 0]]), tf.constant([0, 1])
probabilities = tf.nn.softmax(data)
y = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=probabilities)
