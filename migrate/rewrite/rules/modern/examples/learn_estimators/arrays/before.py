# migrate rewrite --unsafe
from legacy import contrib
import numpy as np
import tensorflow.compat.v1 as tf
def model_fn(x, y):
    target = tf.cast(y, tf.float32)
    out = tf.get_variable('scale', initializer=1.) * x[:, 0]
    loss = tf.reduce_mean(tf.square(target - out))
    train_op = contrib.layers.optimize_loss(loss, tf.train.get_global_step(), .1, 'SGD')
    return {'out': out}, loss, train_op
data = np.array([1, 2, 3], np.float32)
target = np.array([[2], [4], [6]])
job = contrib.learn.Estimator(model_fn)
job.fit(data, target, steps=3, batch_size=2)
x = job.evaluate(x=data, y=target, steps=1)['loss']
y = [row['out'] for row in job.predict(x=data, as_iterable=True)]
