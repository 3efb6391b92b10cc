import tensorflow.compat.v1 as tf
version = tf.__version__
def is_new():
    return tf.__version__.startswith("2")
x = [int(part) for part in tf.VERSION.split(".")]
y = is_new(), int(version[0]) > 1, tf.float32.name
