import tensorflow.compat.v1 as tf
version = "1.15.5"
def is_new():
    return "1.15.5".startswith("2")
x = [int(part) for part in "1.15.5".split(".")]
y = is_new(), int(version[0]) > 1, tf.float32.name
