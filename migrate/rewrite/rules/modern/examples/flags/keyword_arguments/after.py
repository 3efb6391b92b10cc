import tensorflow.compat.v1 as tf
from absl import flags
FLAGS = flags.FLAGS
flags.DEFINE_string("kind", default="a", help="Which.")
flags.DEFINE_integer(name="steps", default=3, help="How many.")
def main(_):
    return FLAGS.kind, FLAGS.steps
if __name__ == '__main__':
    tf.app.run()
FLAGS(['program', '--steps=4'])
x = main(None)
