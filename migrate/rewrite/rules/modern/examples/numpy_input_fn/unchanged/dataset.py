import tensorflow.compat.v1 as tf
x = callable(tf.data.Dataset.from_tensor_slices)
