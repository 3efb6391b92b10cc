import tensorflow.compat.v1 as tf


def loss_fn(x, onehot):
    logits = tf.layers.dense(x, 3, tf.nn.softmax)
    return tf.losses.softmax_cross_entropy(onehot, logits, label_smoothing=0.1)
