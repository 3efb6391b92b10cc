# migrate rewrite --api=v2
import tensorflow as tf
from modern.porting import column_layers
import tf_keras
column = tf.feature_column
features = {'age': tf.constant([17., 40.]), 'words': tf.constant([['x', 'x'], ['y', 'z']])}


def build_features():
    """Returns a model from features to numbers, in the order of the columns' names."""
    inputs = {
        "age": tf_keras.Input([1], name="age"),
        "words": tf_keras.Input([None], name="words", dtype="string"),
    }
    ids = {
        "words": tf_keras.layers.StringLookup(vocabulary=['x', 'y'])(inputs["words"]) - 1,
    }
    numbers = tf_keras.layers.Concatenate()([
        tf_keras.layers.Flatten()(
            tf.one_hot(tf_keras.layers.Discretization([18, 30])(inputs["age"]), 3)
        ),
        tf.reduce_sum(tf.one_hot(ids["words"], 2), axis=1),
    ])
    return column_layers.FromFeatures(inputs, numbers)


layer = build_features()
x = layer(features)
