from legacy import estimator as tf_estimator
import tensorflow as tf
number = tf.feature_column.numeric_column('a')
word = tf.feature_column.categorical_column_with_vocabulary_list('w', ['x', 'y'])
info = tf_estimator.VocabInfo('w.txt', 2, 0, 'old.txt')
start = tf_estimator.WarmStartSettings('a', var_name_to_vocab_info={'w': info})
job = tf_estimator.DNNClassifier([3], [number], warm_start_from=start)
x = job.model_fn is not None
