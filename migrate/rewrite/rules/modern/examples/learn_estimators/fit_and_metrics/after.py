# migrate rewrite --unsafe
from legacy.contrib import learn
from legacy.compat.v1 import estimator as tf_estimator
import tensorflow.compat.v1 as tf
def input_fn():
    return {'a': tf.constant([1., 2.])}, tf.constant([1., 3.])
def model_fn(features, labels, mode):
    out = tf.get_variable('scale', initializer=1.) * features['a']
    loss = train_op = None
    if mode != learn.ModeKeys.INFER:
        loss = tf.losses.mean_squared_error(labels, out)
    if mode == learn.ModeKeys.TRAIN:
        optimizer = tf.train.GradientDescentOptimizer(.1)
        train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, {'out': out}, loss, train_op,
        eval_metric_ops={'mae': tf.metrics.mean_absolute_error(labels=labels, predictions=out)} if mode == tf_estimator.ModeKeys.EVAL else None)
job = tf_estimator.Estimator(model_fn)
job.train(input_fn=input_fn, steps=3)
x = job.evaluate(input_fn=input_fn, steps=1)
y = [row['out'] for row, _ in zip(job.predict(input_fn=input_fn), range(2))]
