# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
def input_fn(count):
    def made():
        return (tf.data.Dataset.range(count)
                .batch(2).make_one_shot_iterator().get_next())
    return made
x = callable(input_fn(3))
