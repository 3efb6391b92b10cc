# migrate rewrite --unsafe --api=v2
import tensorflow as tf
from legacy import contrib
from legacy import estimator as tf_estimator
v1 = tf.compat.v1
def input_fn():
    data = tf.data.Dataset.from_tensor_slices(({'a': [[1.], [2.], [3.]]}, [0, 1, 1]))
    return data.batch(2).repeat(3)
def model_fn(features, labels, mode, params):
    head = contrib.estimator.binary_classification_head()
    net = v1.layers.dense(features['a'], params['units'], tf.nn.relu, kernel_initializer='ones')
    logits = v1.layers.dense(net, head.logits_dimension, kernel_initializer='ones')
    def train_op_fn(loss):
        optimizer = v1.train.GradientDescentOptimizer(0.1)
        return optimizer.minimize(loss, v1.train.get_global_step())
    return head.create_estimator_spec(features, mode, logits, labels, train_op_fn=train_op_fn)
def main():
    job = tf_estimator.Estimator(model_fn, 'model', params={'units': 2})
    job.train(input_fn, steps=3)
    return job.evaluate(input_fn), list(job.predict(input_fn))
x = main()
