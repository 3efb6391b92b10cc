# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
def main(_):
    return 1
if __name__ == '__main__':
    tf.app.run()
def other():
    tf.app.run(main=main)
x = main(['program']), tf.float32.name
