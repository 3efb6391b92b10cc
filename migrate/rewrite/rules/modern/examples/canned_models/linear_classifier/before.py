# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
def input_fn():
    features = {'a': [.5, 1.5, 2.5], 'w': ['x', 'y', 'z']}
    return tf.data.Dataset.from_tensor_slices((features, [0, 1, 1])).batch(2).repeat(3)
number = tf.feature_column.numeric_column('a')
word = tf.feature_column.categorical_column_with_vocabulary_list('w', ['x', 'y'])
job = tf_estimator.LinearClassifier([number, word])
job.train(input_fn)
x = job.evaluate(input_fn)
y = list(job.predict(input_fn))
