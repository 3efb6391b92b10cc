import tensorflow.compat.v1 as tf
x = "old" if "1.15.5".split(".")[0] == "1" else "new"
assert "1.15.5" >= "1.1", tf.float32
