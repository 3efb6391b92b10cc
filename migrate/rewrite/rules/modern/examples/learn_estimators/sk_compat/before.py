# migrate rewrite --unsafe
from legacy import contrib
import numpy as np
import tensorflow.compat.v1 as tf
def model_fn(features, labels, mode, params):
    out = tf.get_variable('scale', initializer=params) * features[:, 0]
    loss = tf.reduce_mean(tf.square(tf.cast(labels, tf.float32) - out))
    train_op = contrib.layers.optimize_loss(loss, tf.train.get_global_step(), .1, 'SGD')
    return out, loss, train_op
data = np.array([1, 2, 3], np.float32)
target = np.array([[2], [4], [6]])
job = contrib.learn.SKCompat(contrib.learn.Estimator(model_fn, params=1.))
job.fit(data, target, steps=3)
x = job.score(data, target, 2)
y = job.predict(data).tolist()
