# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
layer = tf.keras.layers.Dense(1)
def input_fn():
    return tf.constant([[1.0]], tf.float64)
x = layer(input_fn()).dtype.name
