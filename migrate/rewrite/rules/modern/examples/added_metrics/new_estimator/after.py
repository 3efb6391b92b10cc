# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
def input_fn():
    features = {'a': [.5, 1.5, 2.5]}
    return tf.data.Dataset.from_tensor_slices((features, [0., 1., 1.])).batch(2).repeat(3)
def mean(labels, predictions):
    metric = tf.keras.metrics.Mean()
    metric.update_state(predictions['predictions'])
    return {'mean': metric}
def build():
    estimator = tf_estimator.LinearRegressor([number])
    return tf_estimator.add_metrics(estimator, mean)
job = tf_estimator.LinearRegressor(
        feature_columns=[number],  # without the year
    )
job = tf_estimator.add_metrics(
    job,
    metric_fn=mean,
)
job.train(input_fn)
x = job.evaluate(input_fn)
