"""Weight decay by collections: regularizers of layers, get_total_loss, tf.nn.l2_loss."""
import numpy as np
import tensorflow as tf
from tensorflow.contrib.layers import l2_regularizer

random = np.random.RandomState(27)
X = random.randn(48, 6).astype(np.float32)
Y = (X[:, 0] > 0).astype(np.int32)


def model_fn(features, labels, mode, params):
    regularizer = l2_regularizer(params["scale"])
    with tf.variable_scope("net", regularizer=regularizer):
        net = tf.layers.dense(features["x"], 8, activation=tf.nn.relu)
        net = tf.layers.dense(net, 4, kernel_regularizer=tf.contrib.layers.l1_regularizer(0.001))
    logits = tf.layers.dense(net, 2, name="logits")
    tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss = tf.losses.get_total_loss()
    decay = 1e-3 * tf.add_n(
        [tf.nn.l2_loss(v) for v in tf.trainable_variables() if "bias" not in v.name])
    loss += decay
    tf.summary.scalar("decay", decay)
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op,
        eval_metric_ops={"decay": tf.metrics.mean(decay)})


def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).batch(12).repeat(3)


estimator = tf.estimator.Estimator(
    model_fn, "regularized", tf.estimator.RunConfig(tf_random_seed=28), {"scale": 0.01})
estimator.train(input_fn)
print(estimator.evaluate(input_fn, steps=4))
