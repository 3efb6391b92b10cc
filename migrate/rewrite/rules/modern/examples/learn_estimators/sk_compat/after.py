# migrate rewrite --unsafe
from legacy import contrib
import numpy as np
from legacy.compat.v1 import estimator as tf_estimator
import tensorflow.compat.v1 as tf
from modern import porting
def model_fn(features, labels, mode, params):
    out = tf.get_variable('scale', initializer=params) * features[:, 0]
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, out)
    loss = tf.reduce_mean(tf.square(tf.cast(labels, tf.float32) - out))
    train_op = contrib.layers.optimize_loss(loss, tf.train.get_global_step(), .1, 'SGD')
    return tf_estimator.EstimatorSpec(mode, out, loss, train_op)
data = np.array([1, 2, 3], np.float32)
target = np.array([[2], [4], [6]])
job = tf_estimator.Estimator(model_fn, params=1.)
job.train(input_fn=lambda: porting.array_dataset(data, target, batch_size=128, shuffle=True, repeat=True), steps=3)
x = job.evaluate(input_fn=lambda: porting.array_dataset(data, target, batch_size=2))
y = porting.concatenated(job.predict(input_fn=lambda: porting.array_dataset(data, batch_size=128), yield_single_examples=False)).tolist()
