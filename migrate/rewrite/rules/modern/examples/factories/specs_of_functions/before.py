# migrate rewrite --unsafe --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
def input_fn():
    return tf.data.Dataset.from_tensors(({'a': [1., 2., 3.]}, [2., 3., 5.])).repeat(4)
def get_train_spec(input_fn, steps=3):
    return tf_estimator.TrainSpec(input_fn=input_fn, max_steps=steps)
def get_eval_spec(input_fn, throttle):
    return tf_estimator.EvalSpec(
        input_fn=input_fn,
        steps=None,
        throttle_secs=throttle,
    )
columns = [tf.feature_column.numeric_column('a')]
job = tf_estimator.LinearRegressor(columns, 'model')
train_spec = get_train_spec(input_fn)
result = tf_estimator.train_and_evaluate(job, train_spec, get_eval_spec(input_fn, throttle=0))
x = result[0]['global_step']
