"""A second model begins with the weights of the first, under another name."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(19)
X = random.randn(48, 4).astype(np.float32)
Y = X.dot(np.array([[1.0], [0.5], [-1.0], [2.0]], np.float32))


def input_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).batch(12)


def model_fn(features, labels, mode, params):
    with tf.variable_scope(params["scope"]):
        hidden = tf.layers.dense(features["x"], 5, activation=tf.nn.tanh, name="hidden")
    out = tf.layers.dense(hidden, 1, name="out")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op,
        eval_metric_ops={"mae": tf.metrics.mean_absolute_error(labels, out)})


first = tf.estimator.Estimator(
    model_fn, "first", tf.estimator.RunConfig(tf_random_seed=1), {"scope": "encoder"})
first.train(lambda: input_fn().repeat(3))
print(first.evaluate(input_fn))

settings = tf.estimator.WarmStartSettings(
    ckpt_to_initialize_from="first",
    vars_to_warm_start="body/hidden/.*",
    var_name_to_prev_var_name={
        "body/hidden/kernel": "encoder/hidden/kernel",
        "body/hidden/bias": "encoder/hidden/bias",
    })
second = tf.estimator.Estimator(
    model_fn, "second", tf.estimator.RunConfig(tf_random_seed=2), {"scope": "body"},
    warm_start_from=settings)
second.train(input_fn)
print(second.evaluate(input_fn))
print(next(second.predict(input_fn))["out"])
