# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
from modern import porting
porting.keep_float_types()  # Layers compute in the float type of their input.
layer = tf.keras.layers.Dense(1)
def input_fn():
    return tf.constant([[1.0]], tf.float64)
x = layer(input_fn()).dtype.name
