# migrate rewrite --api=v2
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
def job():
    # migrate: Keras trains the unchanged model_fn (python -m migrate recipes custom_model_fn)
    estimator = bridge.KerasModelFn(model_fn, params={'rate': 0.01})
    as_estimator.restore(estimator, 'model', save_steps=2)
    estimator.fit(input_fn(8).take(3), callbacks=as_estimator.callbacks(estimator), verbose=2)
    train_data = input_fn()
    estimator.build_on(train_data, mode="train")
    if int(estimator.global_step.numpy()) < 4:
        estimator.fit(train_data.take(4 - int(estimator.global_step.numpy())), callbacks=as_estimator.callbacks(estimator), verbose=2)
    metrics = dict(estimator.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(estimator.global_step.numpy()))
    outputs = [one['out'] for one in as_estimator.predict(estimator, input_fn(), predict_keys=['out'])]
    return metrics['loss'], metrics['global_step'], outputs
x, y = job(), job()
