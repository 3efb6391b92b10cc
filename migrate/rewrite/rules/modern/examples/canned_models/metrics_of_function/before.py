# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
def input_fn():
    features = {'a': [.5, 1.5, 2.5]}
    return tf.data.Dataset.from_tensor_slices((features, [0., 1., 1.])).batch(2).repeat(3)
def errors(labels, predictions):
    values = predictions['predictions']
    largest = tf.keras.metrics.Mean(name='share')
    largest.update_state(values > 0.5)
    mse = tf.compat.v1.metrics.mean_squared_error(labels, values)
    return {'share': largest, 'mse': mse}
job = tf_estimator.LinearRegressor(feature_columns=[number])
job = tf_estimator.add_metrics(job, errors)
job.train(input_fn)
x = job.evaluate(input_fn)
