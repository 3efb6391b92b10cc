# migrate rewrite --api=v2
from legacy.contrib import tpu
import tensorflow as tf
from migrate import bridge
from migrate.bridge import as_estimator
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
# There is no Keras model for it yet: its model_fn reads batch_size of a TPUEstimator.
# migrate: Keras trains the unchanged model_fn (python -m migrate recipes custom_model_fn)
job = bridge.KerasModelFn(
    model_fn,
    params=as_estimator.TPUParams(
        {'scale': 2.0},
        train_batch_size=1,
        eval_batch_size=3,
        predict_batch_size=2,
    ),
)
as_estimator.restore(job, 'model', save_secs=600)
train_data = (lambda params: input_fn(params).repeat())(params=job.params.train)
job.build_on(train_data, mode="train")
if int(job.global_step.numpy()) < 4:
    job.fit(train_data.take(4 - int(job.global_step.numpy())), callbacks=as_estimator.callbacks(job), verbose=2)
x = dict(job.evaluate(input_fn(params=job.params.eval).take(-1 if steps is None else steps), verbose=0, return_dict=True), global_step=int(job.global_step.numpy()))
y = [one['out'] for one in as_estimator.predict(job, input_fn(params=job.params.infer))]
