from legacy.compat.v1 import estimator as tf_estimator
import tensorflow.compat.v1 as tf
def model_fn(features, labels, mode):
    w = tf.get_variable('w', [], initializer=tf.ones_initializer())
    loss = tf.reduce_mean((features['a'] * w - labels) ** 2)
    step = tf.train.get_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
def input_fn(count):
    data = tf.data.Dataset.from_tensors(({'a': [1., 2.]}, [2., 3.])).repeat(count)
    iterator = tf.data.make_initializable_iterator(data)
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
    features, labels = iterator.get_next()
    return features, labels
job = tf_estimator.Estimator(model_fn, 'model')
x = float(job.train(lambda: input_fn(3)).get_variable_value('w'))
y = float(job.evaluate(input_fn=lambda: input_fn(1))['loss'])
