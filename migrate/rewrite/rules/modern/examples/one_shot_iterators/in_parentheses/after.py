# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
def input_fn(count):
    def made():
        return (tf.data.Dataset.range(count)
                .batch(2))
    return made
x = callable(input_fn(3))
