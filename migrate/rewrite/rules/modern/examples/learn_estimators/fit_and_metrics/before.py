# migrate rewrite --unsafe
from legacy.contrib import learn
import tensorflow.compat.v1 as tf
def input_fn():
    return {'a': tf.constant([1., 2.])}, tf.constant([1., 3.])
def model_fn(features, targets, mode):
    out = tf.get_variable('scale', initializer=1.) * features['a']
    loss = train_op = None
    if mode != learn.ModeKeys.INFER:
        loss = tf.losses.mean_squared_error(targets, out)
    if mode == learn.ModeKeys.TRAIN:
        optimizer = tf.train.GradientDescentOptimizer(.1)
        train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return learn.ModelFnOps(mode, {'out': out}, loss, train_op)
job = learn.Estimator(model_fn, feature_engineering_fn=None)
job.fit(input_fn=input_fn, steps=3)
metrics = {'mae': learn.MetricSpec(tf.metrics.mean_absolute_error, prediction_key='out')}
x = job.evaluate(input_fn=input_fn, steps=1, metrics=metrics)
y = [row['out'] for row, _ in zip(job.predict(input_fn=input_fn), range(2))]
