# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
with tf.Graph().as_default():
    keys = tf.feature_column.categorical_column_with_identity
    made = tf.feature_column.shared_embedding_columns(
        [keys('a', 3), keys('b', 3)], dimension=2)
x = [one.name for one in made]
