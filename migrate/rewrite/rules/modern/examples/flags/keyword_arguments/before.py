import tensorflow.compat.v1 as tf
flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_string("kind", default_value="a", docstring="Which.")
tf.flags.DEFINE_integer(flag_name="steps", default_value=3, docstring="How many.")
def main(_):
    return FLAGS.kind, FLAGS.steps
if __name__ == '__main__':
    tf.app.run()
FLAGS(['program', '--steps=4'])
x = main(None)
