"""Shows embeddings of digits in TensorBoard's projector."""
import os

import tensorflow as tf
from tensorflow.contrib.tensorboard.plugins import projector
from tensorflow.examples.tutorials.mnist import input_data


def main(log_dir):
  mnist = input_data.read_data_sets("/tmp/mnist", one_hot=False)
  with tf.Session() as session:
    vectors = tf.Variable(mnist.test.images[:100], name="digits")
    session.run(tf.global_variables_initializer())
    tf.train.Saver([vectors]).save(session, os.path.join(log_dir, "digits.ckpt"))
    config = projector.ProjectorConfig()
    embedding = config.embeddings.add()
    embedding.tensor_name = vectors.name
    writer = tf.summary.FileWriter(log_dir)
    projector.visualize_embeddings(writer, config)


if __name__ == "__main__":
  main("/tmp/projected")
