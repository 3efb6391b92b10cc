# migrate rewrite --unsafe
from legacy import contrib
from legacy.compat.v1 import estimator as tf_estimator
import tensorflow.compat.v1 as tf
def input_fn():
    return {'a': tf.constant([1., 2.])}, {'b': tf.constant([1, 3])}
def model_fn(features, labels, mode, params):
    out = tf.get_variable('scale', initializer=params['scale']) * features['a']
    predictions = {'classes': tf.cast(out, tf.int32)}
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, predictions)
    loss = tf.reduce_sum(tf.square(tf.cast(labels['b'], tf.float32) - out))
    train_op = contrib.layers.optimize_loss(loss, tf.train.get_global_step(), .1, 'SGD')
    return tf_estimator.EstimatorSpec(mode, predictions, loss, train_op,
        eval_metric_ops={'right': tf.metrics.accuracy(labels=labels['b'], predictions=predictions['classes'])} if mode == tf_estimator.ModeKeys.EVAL else None)
job = tf_estimator.Estimator(model_fn=model_fn, params={'scale': 1.})
job.train(input_fn=input_fn, steps=2)
x = job.evaluate(
    input_fn=input_fn, steps=1)
y = job.get_variable_value('scale')
