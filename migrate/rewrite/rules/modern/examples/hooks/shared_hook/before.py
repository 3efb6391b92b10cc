# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
v1 = tf.compat.v1
def model_fn(features, labels, mode):
    w = v1.get_variable('w', [], initializer=tf.ones_initializer())
    loss = tf.reduce_mean((features['a'] * w - labels) ** 2)
    step = v1.train.get_global_step()
    train_op = v1.train.GradientDescentOptimizer(0.01).minimize(loss, step)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
def input_fn():
    return tf.data.Dataset.from_tensors(({'a': [1., 2.]}, [2., 3.])).repeat(9)
job = tf_estimator.Estimator(model_fn)
job.train(input_fn, steps=1)
count = v1.train.StepCounterHook(every_n_steps=2)
hooks = [count]
job.train(input_fn, hooks=hooks, steps=2)
job.train(input_fn, hooks=hooks, steps=1)
x = job.evaluate(input_fn, steps=1, hooks=[count])
