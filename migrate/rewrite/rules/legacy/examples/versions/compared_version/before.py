import tensorflow.compat.v1 as tf
x = "old" if tf.__version__.split(".")[0] == "1" else "new"
assert tf.VERSION >= "1.1", tf.float32
