import tensorflow.compat.v1 as tf
def main(_):
    return rate
def job():
    tf.app.run()
tf.flags.DEFINE_float('rate', 0.1, 'How fast.')
rate = tf.flags.FLAGS.rate
x = rate
