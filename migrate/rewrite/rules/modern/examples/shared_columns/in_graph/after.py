# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
from migrate.bridge import as_estimator
with tf.Graph().as_default():
    keys = tf.feature_column.categorical_column_with_identity
    made = as_estimator.shared_embedding_columns(
        [keys('a', 3), keys('b', 3)], dimension=2)
x = [one.name for one in made]
