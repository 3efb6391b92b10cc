# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
v1 = tf.compat.v1
def model_fn(features, labels, mode, params):
    w = v1.get_variable('w', [], initializer=tf.ones_initializer())
    out = features['a'] * w
    if mode == 'infer':
        return tf_estimator.EstimatorSpec(mode, {'out': out})
    loss = tf.reduce_mean((out - labels) ** 2)
    optimizer = v1.train.MomentumOptimizer(params['rate'], 0.5)
    train_op = optimizer.minimize(loss, v1.train.get_global_step())
    metrics = {'mae': v1.metrics.mean_absolute_error(labels, out)}
    return tf_estimator.EstimatorSpec(mode, None, loss, train_op, metrics)
def input_fn(count=1):
    data = tf.data.Dataset.from_tensor_slices(({'a': [1., 2., 3.]}, [2., 3., 5.]))
    data = data.repeat(count)
    return data.batch(2)
functions = list((input_fn,))
job = tf_estimator.Estimator(model_fn, params={'rate': 0.01})
job.train(functions[0])
x = job.evaluate(input_fn, steps=1)['mae']
