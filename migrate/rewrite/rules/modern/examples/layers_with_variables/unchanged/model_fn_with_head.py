from legacy import contrib
import tensorflow.compat.v1 as tf
def model_fn(features, labels, mode):
    head = contrib.estimator.regression_head()
    with tf.variable_scope('tower'):
        out = tf.layers.dense(features, 1)
    return head.create_estimator_spec(features, mode, out, labels)
x = 1
