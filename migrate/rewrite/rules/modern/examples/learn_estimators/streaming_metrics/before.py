# migrate rewrite --unsafe
from legacy import contrib
import tensorflow.compat.v1 as tf
def input_fn():
    return {'a': tf.constant([1., 2.])}, {'b': tf.constant([1, 3])}
def model_fn(x, y, mode, params):
    out = tf.get_variable('scale', initializer=params['scale']) * x['a']
    predictions = {'classes': tf.cast(out, tf.int32)}
    loss = tf.reduce_sum(tf.square(tf.cast(y['b'], tf.float32) - out))
    train_op = contrib.layers.optimize_loss(loss, tf.train.get_global_step(), .1, 'SGD')
    return contrib.learn.ModelFnOps(mode, predictions, loss, train_op)
job = contrib.learn.Estimator(model_fn=model_fn, params={'scale': 1.})
job.fit(input_fn=input_fn, steps=2, monitors=None)
x = job.evaluate(
    input_fn=input_fn, steps=1,
    metrics={'right': contrib.learn.MetricSpec(
        contrib.metrics.streaming_accuracy, prediction_key='classes', label_key='b')})
y = job.get_variable_value('scale')
