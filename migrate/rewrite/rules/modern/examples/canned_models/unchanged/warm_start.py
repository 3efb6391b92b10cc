from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
word = tf.feature_column.categorical_column_with_vocabulary_list('w', ['x', 'y'])
job = tf_estimator.DNNClassifier([3], [number], warm_start_from='a')
x = job.model_fn is not None
