# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
count = 0
def input_fn(size):
    return tf.data.Dataset.from_tensors(({'a': [1., 2., 3.]}, [2., 3., 5.])).repeat(size)
def get_spec(mode, size):
    global count
    batches = size * 2
    if mode == 'train':
        count = size - 1
        spec = tf_estimator.TrainSpec(lambda: input_fn(batches), count)
    else:
        spec = tf_estimator.EvalSpec(lambda: input_fn(batches), None, throttle_secs=0)
    return spec
def train(size):
    job = tf_estimator.LinearRegressor([tf.feature_column.numeric_column('a')], 'model')
    train_spec = get_spec('train', size)
    eval_spec = get_spec('eval', size + 1)
    return tf_estimator.train_and_evaluate(job, train_spec, eval_spec)
x, y = train(4)[0]['global_step'], count
