"""The first custom Estimator of many tutorials: bare variables, predictions without names."""
import numpy as np
import tensorflow as tf


def model_fn(features, labels, mode):
    W = tf.get_variable("W", [1], dtype=tf.float64)
    b = tf.get_variable("b", [1], dtype=tf.float64)
    y = W * features["x"] + b
    loss = tf.reduce_sum(tf.square(y - labels))
    global_step = tf.train.get_global_step()
    optimizer = tf.train.GradientDescentOptimizer(0.01)
    train = tf.group(optimizer.minimize(loss), tf.assign_add(global_step, 1))
    return tf.estimator.EstimatorSpec(mode=mode, predictions=y, loss=loss, train_op=train)


estimator = tf.estimator.Estimator(
    model_fn=model_fn, model_dir="raw", config=tf.estimator.RunConfig().replace(tf_random_seed=40))
x_train = np.array([1., 2., 3., 4.])
y_train = np.array([0., -1., -2., -3.])
x_eval = np.array([2., 5., 8., 1.])
y_eval = np.array([-1.01, -4.1, -7., 0.])
input_fn = tf.estimator.inputs.numpy_input_fn(
    {"x": x_train}, y_train, 4, num_epochs=None, shuffle=False)
train_input_fn = tf.estimator.inputs.numpy_input_fn(
    {"x": x_train}, y_train, 4, num_epochs=10, shuffle=False)
eval_input_fn = tf.estimator.inputs.numpy_input_fn(
    {"x": x_eval}, y_eval, 4, num_epochs=10, shuffle=False)

estimator.train(input_fn=input_fn, steps=50)
print("train metrics: %r" % estimator.evaluate(input_fn=train_input_fn))
print("eval metrics: %r" % estimator.evaluate(input_fn=eval_input_fn))
