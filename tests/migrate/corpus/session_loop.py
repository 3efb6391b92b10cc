"""Softmax regression with placeholders, a session, and nothing else."""
import sys

import numpy as np
import tensorflow as tf


def build(classes=3, width=4):
  x = tf.placeholder(tf.float32, [None, width], name="x")
  y = tf.placeholder(tf.int64, [None], name="y")
  rate = tf.placeholder_with_default(0.5, shape=[], name="rate")
  with tf.variable_scope("softmax", reuse=tf.AUTO_REUSE):
    w = tf.get_variable("w", [width, classes], initializer=tf.truncated_normal_initializer())
    b = tf.Variable(tf.zeros([classes]), name="b")
  noise = tf.random_uniform([width, classes], -0.01, 0.01, seed=4)
  logits = tf.matmul(x, w + tf.stop_gradient(noise)) + b
  cross_entropy = tf.nn.softmax_cross_entropy_with_logits_v2(
      labels=tf.one_hot(y, classes), logits=logits)
  loss = tf.reduce_mean(cross_entropy)
  floor = tf.assert_less_equal(tf.to_int32(y), classes)
  with tf.control_dependencies([floor]):
    correct = tf.to_float(tf.equal(tf.argmax(logits, 1), y))
  tf.summary.scalar("loss", loss)
  tf.summary.histogram("w", w)
  return x, y, rate, loss, tf.reduce_mean(correct)


def train(folder, steps=30):
  tf.reset_default_graph()
  tf.set_random_seed(11)
  x, y, rate, loss, accuracy = build()
  step = tf.train.create_global_step()
  optimizer = tf.train.GradientDescentOptimizer(rate)
  gradients, variables = zip(*optimizer.compute_gradients(loss))
  clipped, norm = tf.clip_by_global_norm(gradients, 5.0, use_norm=tf.global_norm(gradients))
  train_op = optimizer.apply_gradients(list(zip(clipped, variables)), global_step=step)
  average = tf.get_variable("average", [], initializer=tf.zeros_initializer(), trainable=False)
  keep = tf.assign(average, 0.9 * average + 0.1 * loss)
  count = tf.assign_add(tf.get_variable("count", [], tf.int32, trainable=False), 1)
  merged = tf.summary.merge_all()
  only_norm = tf.summary.merge([tf.summary.scalar("norm", norm)])
  checks = tf.is_nan(loss)
  shown = tf.Print(loss, [tf.log(loss + 1.0), tf.mod(step, 10), tf.div(step, 2)], "loss: ")

  random = np.random.RandomState(0)
  data = random.normal(size=(60, 4)).astype(np.float32)
  labels = data[:, :3].argmax(1)
  gpu_options = tf.GPUOptions(per_process_gpu_memory_fraction=0.3, allow_growth=True)
  config = tf.ConfigProto(gpu_options=gpu_options, allow_soft_placement=True)
  everything = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
  saver = tf.train.Saver(everything)
  assert everything == tf.global_variables()
  with tf.Session(config=config) as session:
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    session.run(tf.tables_initializer())
    writer = tf.summary.FileWriter(folder, tf.get_default_graph())
    for i in range(steps):
      feed = {x: data, y: labels}
      _, _, _, summary = session.run([train_op, keep, count, merged], feed)
      writer.add_summary(summary, i)
    writer.add_summary(session.run(only_norm, feed), steps)
    assert not session.run(checks, feed)
    print("accuracy", session.run([accuracy, shown], feed)[0])
    path = saver.save(session, folder + "/model", global_step=step)
    writer.close()
  reader = tf.train.NewCheckpointReader(path)
  print(sorted(reader.get_variable_to_shape_map()), reader.get_tensor("global_step"))


def old_names():
  """Names of the first releases."""
  with tf.Session() as sess:
    sess.run(tf.initialize_all_variables())


if __name__ == "__main__":
  train(sys.argv[1])
