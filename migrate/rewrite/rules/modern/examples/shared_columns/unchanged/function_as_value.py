from legacy import estimator as e
import tensorflow.compat.v1 as tf
make = tf.feature_column.shared_embedding_columns
def f(columns):
    return e.LinearClassifier(make(columns, 2))
x = callable(f)
