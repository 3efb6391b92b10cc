# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
def input_fn():
    return tf.data.Dataset.from_tensor_slices(({'a': [.5, 1.5, 2.5]}, [0., 1., 1.])).batch(2)
first = tf_estimator.LinearRegressor([number], 'first')
first.train(input_fn)
second = tf_estimator.LinearRegressor(
    [number], 'second', warm_start_from=first.latest_checkpoint())
x = second.evaluate(input_fn)
y = first.evaluate(input_fn, checkpoint_path=first.latest_checkpoint())
