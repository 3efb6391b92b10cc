# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
WORDS = {'w': ['x', 'y'], 'a': None}
def input_fn():
    features = {'a': [.5, 1.5, 2.5], 'w': ['x', 'y', 'z']}
    return tf.data.Dataset.from_tensor_slices((features, [0, 1, 1])).batch(2).repeat(3)
def make_columns():
    columns = []
    for name, words in WORDS.items():
        if words is None:
            columns.append(tf.feature_column.numeric_column(name))
        else:
            word = tf.feature_column.categorical_column_with_vocabulary_list(name, words)
            columns.append(tf.feature_column.embedding_column(word, 3))
    return columns
job = tf_estimator.DNNClassifier([4], make_columns(), dropout=0.1)
job.train(input_fn)
x = sorted(job.evaluate(input_fn))
y = [len(one['probabilities']) for one in job.predict(input_fn)]
