import tensorflow.compat.v1 as tf
from absl import app
from absl import flags
def main(argv):
    return len(argv)
if __name__ == '__main__':
    app.run(main, flags_parser=lambda argv: flags.FLAGS(argv, known_only=True))
x = main(['program']), tf.float32.name
