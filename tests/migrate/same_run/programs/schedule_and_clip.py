"""Learning rate schedules and clipped gradients, three ways in one file."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(25)
X = random.randn(60, 4).astype(np.float32)
Y = (10.0 * X[:, :1] + 5.0 * X[:, 1:2] ** 2).astype(np.float32)


def make_train_op(kind, loss):
    step = tf.train.get_or_create_global_step()
    if kind == "warmup":
        rate = tf.train.polynomial_decay(0.01, step, 20, end_learning_rate=0.0, power=1.0)
        done = tf.cast(step, tf.float32) / 4.0
        rate = tf.where(step < 4, 0.01 * done, rate)
        optimizer = tf.train.AdamOptimizer(rate)
        tvars = tf.trainable_variables()
        grads = tf.gradients(loss, tvars)
        grads, _ = tf.clip_by_global_norm(grads, clip_norm=1.0)
        return optimizer.apply_gradients(zip(grads, tvars), global_step=step)
    if kind == "staircase":
        rate = tf.train.exponential_decay(0.01, step, 5, 0.5, staircase=True)
        optimizer = tf.train.MomentumOptimizer(rate, 0.9, use_nesterov=True)
        gvs = optimizer.compute_gradients(loss)
        clipped = [(tf.clip_by_value(grad, -1.0, 1.0), var) for grad, var in gvs]
        return optimizer.apply_gradients(clipped, global_step=step)
    rate = tf.train.piecewise_constant(step, [5, 10], [0.02, 0.01, 0.001])
    return tf.contrib.layers.optimize_loss(
        loss, step, learning_rate=rate, optimizer="SGD", clip_gradients=0.5)


def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features, 6, tf.nn.relu, name="hidden")
    out = tf.layers.dense(net, 1, name="out")
    loss = tf.reduce_mean(tf.squared_difference(out, labels))
    train_op = None
    if mode == tf.estimator.ModeKeys.TRAIN:
        train_op = make_train_op(params["kind"], loss)
    return tf.estimator.EstimatorSpec(mode, predictions={"out": out}, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensor_slices((X, Y)).repeat(4).batch(15)


for kind in ("warmup", "staircase", "pieces"):
    estimator = tf.estimator.Estimator(
        model_fn, "rate_" + kind, tf.estimator.RunConfig(tf_random_seed=26), {"kind": kind})
    estimator.train(input_fn)
    print(kind, estimator.evaluate(input_fn))
