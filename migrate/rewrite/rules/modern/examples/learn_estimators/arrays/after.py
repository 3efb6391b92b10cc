# migrate rewrite --unsafe
from legacy import contrib
import numpy as np
from legacy.compat.v1 import estimator as tf_estimator
import tensorflow.compat.v1 as tf
from modern import porting
def model_fn(features, labels, mode):
    out = tf.get_variable('scale', initializer=1.) * features[:, 0]
    predictions = {'out': out}
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(mode, predictions)
    target = tf.cast(labels, tf.float32)
    loss = tf.reduce_mean(tf.square(target - out))
    train_op = contrib.layers.optimize_loss(loss, tf.train.get_global_step(), .1, 'SGD')
    return tf_estimator.EstimatorSpec(mode, predictions, loss, train_op)
data = np.array([1, 2, 3], np.float32)
target = np.array([[2], [4], [6]])
job = tf_estimator.Estimator(model_fn)
job.train(input_fn=lambda: porting.array_dataset(data, target, batch_size=2, shuffle=True, repeat=True), steps=3)
x = job.evaluate(input_fn=lambda: porting.array_dataset(data, target), steps=1)['loss']
y = [row['out'] for row in job.predict(input_fn=lambda: porting.array_dataset(data))]
