import tensorflow.compat.v1 as tf
tf.flags.DEFINE_string("log_dir", "logs", "Where.")  # ours
tf.app.flags.DEFINE_integer("verbosity", 3,
                            "How much.")
tf.flags.FLAGS(['program'])
x = tf.flags.FLAGS.log_dir, tf.flags.FLAGS.verbosity
