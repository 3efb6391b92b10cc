# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
v1 = tf.compat.v1
def input_fn():
    data = tf.data.Dataset.from_tensor_slices(({'a': [[1.], [2.], [3.]]}, [2., 3., 5.]))
    return data.batch(2).repeat(3)
def model_fn(features, labels, mode, params):
    # a line
    net = v1.layers.dense(features['a'], params['units'], kernel_initializer='ones')
    net = v1.layers.dropout(net, 0.0, training=mode == tf_estimator.ModeKeys.TRAIN)
    out = tf.reduce_sum(net, axis=1)
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, {'out': out})
    loss = tf.reduce_mean((out - labels) ** 2)
    metrics = {'mae': v1.metrics.mean_absolute_error(labels, out)}
    optimizer = v1.train.GradientDescentOptimizer(0.1)
    train_op = optimizer.minimize(loss, v1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, None, loss, train_op, metrics)
def main():
    config = tf_estimator.RunConfig(save_checkpoints_steps=2)
    job = tf_estimator.Estimator(model_fn, 'model', config, {'units': 2})
    job.train(input_fn, steps=3)
    job.train(input_fn=input_fn, max_steps=4)
    return job.evaluate(input_fn), list(job.predict(input_fn))
x = main()
