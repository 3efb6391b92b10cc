# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
count = 0
def input_fn(size):
    return tf.data.Dataset.from_tensors(({'a': [1., 2., 3.]}, [2., 3., 5.])).repeat(size)
def train(size):
    global count
    job = tf_estimator.LinearRegressor([tf.feature_column.numeric_column('a')], 'model')
    batches = size * 2
    count = size - 1
    train_spec = tf_estimator.TrainSpec(lambda: input_fn(batches), count)
    size_ = size + 1
    batches_ = size_ * 2
    eval_spec = tf_estimator.EvalSpec(lambda: input_fn(batches_), None, throttle_secs=0)
    return tf_estimator.train_and_evaluate(job, train_spec, eval_spec)
x, y = train(4)[0]['global_step'], count
