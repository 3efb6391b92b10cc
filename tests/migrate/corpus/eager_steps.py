"""The same step, eager and in a graph."""
import sys

import tensorflow as tf

tfe = tf.contrib.eager
flags = tf.flags
flags.DEFINE_float("rate", 0.1, "Learning rate.")


def step(model, optimizer, x, y):
  with tf.GradientTape() as tape:
    loss = tf.losses.mean_squared_error(y, model(x))
  variables = model.trainable_variables
  optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
  tf.contrib.summary.scalar("loss", loss)
  return loss


def main(mode):
  if mode == "eager":
    tf.enable_eager_execution()
  else:
    tf.disable_eager_execution()
  model = tf.layers.Dense(1)
  optimizer = tf.train.GradientDescentOptimizer(flags.FLAGS.rate)
  writer = tf.contrib.summary.create_file_writer("/tmp/eager")
  with writer.as_default(), tf.contrib.summary.always_record_summaries():
    mean = tfe.metrics.Mean()
    mean(step(model, optimizer, tf.ones([2, 2]), tf.zeros([2, 1])))


if __name__ == "__main__":
  main(sys.argv[1])
