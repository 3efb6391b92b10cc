# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
from absl import app
def main(_):
    return 1
if __name__ == '__main__':
    app.run(main)
def other():
    app.run(main=main)
x = main(['program']), tf.float32.name
