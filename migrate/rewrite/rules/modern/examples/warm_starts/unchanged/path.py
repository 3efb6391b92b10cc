from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
job = tf_estimator.LinearRegressor([number], warm_start_from='first')
x = job is not None
