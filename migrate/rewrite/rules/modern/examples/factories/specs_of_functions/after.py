# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
def input_fn():
    return tf.data.Dataset.from_tensors(({'a': [1., 2., 3.]}, [2., 3., 5.])).repeat(4)
columns = [tf.feature_column.numeric_column('a')]
job = tf_estimator.LinearRegressor(columns, 'model')
train_spec = tf_estimator.TrainSpec(input_fn=input_fn, max_steps=3)
result = tf_estimator.train_and_evaluate(job, train_spec, tf_estimator.EvalSpec(input_fn=input_fn, steps=None, throttle_secs=0))
x = result[0]['global_step']
