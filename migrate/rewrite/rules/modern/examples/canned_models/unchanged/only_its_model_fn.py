from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
word = tf.feature_column.categorical_column_with_vocabulary_list('w', ['x', 'y'])
x = tf_estimator.LinearRegressor([number]).model_fn is not None
