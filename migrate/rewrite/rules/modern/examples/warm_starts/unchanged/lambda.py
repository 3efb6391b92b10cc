from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
first = tf_estimator.LinearRegressor([number], 'first')
build = lambda: tf_estimator.LinearRegressor([number], warm_start_from=first.latest_checkpoint())
x = callable(build)
