from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
def mean(name):
    def metric_fn(predictions):
        metric = tf.keras.metrics.Mean()
        metric.update_state(predictions['predictions'])
        return {name: metric}
    return metric_fn
job = 'mean'
job = tf_estimator.add_metrics(tf_estimator.LinearRegressor([number]), mean(job))
x = job is not None
