# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
def input_fn():
    return tf.data.Dataset.range(3)
x = tf.data.Dataset.range(3).batch(2) is not None, callable(input_fn)
