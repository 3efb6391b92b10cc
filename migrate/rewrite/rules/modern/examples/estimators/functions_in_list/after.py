# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
from migrate import bridge
from migrate.bridge import as_estimator
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
# migrate: Keras trains the unchanged model_fn (python -m migrate recipes custom_model_fn)
job = bridge.KerasModelFn(model_fn, params={'rate': 0.01})
job.fit(functions[0](), callbacks=as_estimator.callbacks(job), verbose=2)
x = job.evaluate(input_fn().take(1), verbose=0, return_dict=True)['mae']
