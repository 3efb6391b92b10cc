import tensorflow.compat.v1 as tf
tf.flags.DEFINE_string("model_dir", "logs", "Where.")
x = 1
