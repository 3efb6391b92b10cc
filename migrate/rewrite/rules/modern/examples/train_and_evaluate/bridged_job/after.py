# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import os
import tensorflow as tf
from migrate import bridge
from migrate.bridge import as_estimator
v1 = tf.compat.v1
def model_fn(features, labels, mode):
    w = v1.get_variable('w', [], initializer=tf.ones_initializer())
    out = features['a'] * w
    if mode == 'infer':
        return tf_estimator.EstimatorSpec(mode, {'out': out})
    loss = tf.reduce_mean((out - labels) ** 2)
    train_op = v1.train.ProximalAdagradOptimizer(0.1).minimize(loss, v1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, None, loss, train_op)
def input_fn():
    data = tf.data.Dataset.from_tensors(({'a': [1., 2., 3.]}, [2., 3., 5.]))
    return data.repeat(5)
def serving_fn():
    a = v1.placeholder(tf.float32, [None], name='a')
    return tf_estimator.export.ServingInputReceiver({'a': a}, {'a': a})
def served(folder):
    model = tf.saved_model.load(os.path.join(folder, os.listdir(folder)[0]))
    return model.signatures['serving_default'](a=tf.constant([1.0]))
# There is no Keras model for it yet: its optimizer is tf.train.ProximalAdagradOptimizer.
# migrate: Keras trains the unchanged model_fn (python -m migrate recipes custom_model_fn)
strategy = as_estimator.strategy('model')
with strategy.scope():
    estimator = bridge.KerasModelFn(model_fn)
as_estimator.restore(estimator, 'model', save_secs=600)
exporter = as_estimator.FinalExporter('final', serving_fn)
as_estimator.train_and_evaluate(
    estimator,
    input_fn,
    input_fn,
    max_steps=3,
    exporters=[exporter],
    throttle_secs=0,
)
x, y = as_estimator.evaluate(estimator, input_fn()), len(os.listdir('model/export'))
z = served('model/export/final')
