# migrate rewrite --api=v2
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
def job():
    config = tf_estimator.RunConfig(save_checkpoints_steps=2)
    estimator = tf_estimator.Estimator(
        model_fn=model_fn, model_dir='model', config=config, params={'rate': 0.01})
    estimator.train(lambda: input_fn(8), steps=3)
    estimator.train(input_fn=input_fn, max_steps=4)
    metrics = estimator.evaluate(input_fn)
    outputs = [one['out'] for one in estimator.predict(input_fn, ['out'])]
    return metrics['loss'], metrics['global_step'], outputs
x, y = job(), job()
