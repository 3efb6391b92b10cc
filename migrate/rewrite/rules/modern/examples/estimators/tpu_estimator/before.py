# migrate rewrite --api=v2
from legacy.contrib import tpu
import tensorflow as tf
v1 = tf.compat.v1
def metric_fn(labels, out):
    return {'mae': v1.metrics.mean_absolute_error(labels, out)}
def model_fn(features, labels, mode, params):
    w = v1.get_variable('w', [], initializer=tf.ones_initializer())
    out = features['a'] * w * params['scale']
    if mode == 'infer':
        return tpu.TPUEstimatorSpec(mode, {'out': out})
    loss = tf.reduce_mean((out - labels) ** 2) * params['batch_size']
    optimizer = tpu.CrossShardOptimizer(v1.train.GradientDescentOptimizer(0.01))
    train_op = optimizer.minimize(loss, v1.train.get_global_step())
    return tpu.TPUEstimatorSpec(
        mode, None, loss, train_op, eval_metrics=(metric_fn, [labels, out]))
def input_fn(params):
    data = tf.data.Dataset.from_tensor_slices(({'a': [1., 2., 3.]}, [2., 3., 5.]))
    return data.batch(params['batch_size'])
steps = None
job = tpu.TPUEstimator(
    model_fn, 'model', tpu.RunConfig(), {'scale': 2.0}, use_tpu=False, train_batch_size=1,
    eval_batch_size=3, predict_batch_size=2)
job.train(lambda params: input_fn(params).repeat(), max_steps=4)
x = job.evaluate(input_fn, steps)
y = [one['out'] for one in job.predict(input_fn)]
