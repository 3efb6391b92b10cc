"""A job that is watched: hooks of its own and TensorFlow's, summaries by hand."""
import os
import time

import tensorflow as tf

tf.flags.DEFINE_string("model_dir", "/tmp/watched", "")
tf.flags.DEFINE_integer("steps", 20, "")
FLAGS = tf.flags.FLAGS


class ExamplesPerSecondHook(tf.train.SessionRunHook):
  """Logs how fast it goes, every so many steps."""

  def __init__(self, batch_size, every_n_steps=5):
    self._timer = tf.train.SecondOrStepTimer(every_steps=every_n_steps)
    self._batch_size = batch_size

  def begin(self):
    self._step = tf.train.get_global_step()
    if self._step is None:
      raise RuntimeError("There is no global step.")

  def before_run(self, run_context):
    return tf.train.SessionRunArgs(self._step)

  def after_run(self, run_context, run_values):
    step = run_values.results
    if self._timer.should_trigger_for_step(step):
      seconds, steps = self._timer.update_last_triggered_step(step)
      if seconds is not None:
        tf.logging.info("%.1f examples/s", self._batch_size * steps / max(seconds, 1e-9))


class WriteOnceHook(tf.estimator.SessionRunHook):

  def __init__(self, logdir):
    self._logdir = logdir

  def after_create_session(self, session, coord):
    self._writer = tf.summary.FileWriterCache.get(self._logdir)

  def before_run(self, run_context):
    return tf.estimator.SessionRunArgs({"loss": "loss:0"})

  def end(self, session):
    summary = tf.Summary(value=[tf.Summary.Value(tag="done", simple_value=1.0)])
    self._writer.add_summary(summary, FLAGS.steps)
    self._writer.flush()


def model_fn(features, labels, mode):
  weights = tf.get_variable("weights", [2, 1], initializer=tf.zeros_initializer())
  predictions = tf.matmul(features, weights)
  loss = tf.identity(tf.losses.mean_squared_error(labels, predictions), "loss")
  tf.summary.histogram("weights", weights)
  metrics = {"mean_label": tf.metrics.mean(labels)}
  hooks = [
      tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=10),
      tf.estimator.LoggingTensorHook(["loss"], at_end=True),
      tf.train.ProfilerHook(save_steps=10, output_dir=FLAGS.model_dir),
  ]
  train_op = tf.train.GradientDescentOptimizer(0.1).minimize(
      loss, tf.train.get_or_create_global_step())
  saver = tf.train.Saver(max_to_keep=1, save_relative_paths=True)
  tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
  return tf.estimator.EstimatorSpec(
      mode, predictions, loss, train_op, metrics, training_hooks=hooks,
      scaffold=tf.train.Scaffold(saver=saver))


def input_fn():
  features = tf.random_normal([4, 2], seed=1)
  return features, tf.reduce_sum(features, 1, keep_dims=True)


def read_tags(folder):
  found = []
  for path in tf.gfile.Glob(os.path.join(folder, "events.out.tfevents.*")):
    for event in tf.train.summary_iterator(path):
      found += [value.tag for value in event.summary.value]
  return found


def main(_):
  started = time.time()
  saver_hook = tf.train.CheckpointSaverHook(FLAGS.model_dir, save_steps=10)
  estimator = tf.estimator.Estimator(model_fn, FLAGS.model_dir)
  estimator.train(input_fn, hooks=[
      ExamplesPerSecondHook(4), WriteOnceHook(FLAGS.model_dir), saver_hook,
      tf.train.StopAtStepHook(last_step=FLAGS.steps)])
  estimator.evaluate(input_fn, steps=2)
  assert "done" in read_tags(FLAGS.model_dir), "no summary was written"
  tf.logging.warn("It took %.1f s", time.time() - started)


if __name__ == "__main__":
  tf.app.run()
