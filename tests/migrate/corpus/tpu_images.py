"""Trains on a TPU, or on other devices (--use_tpu=false), with summaries from the host."""
import tensorflow as tf
from tensorflow.contrib.training.python.training import hparam

tf.flags.DEFINE_bool("use_tpu", False, "")
tf.flags.DEFINE_string("tpu", None, "Its name or address.")
tf.flags.DEFINE_string("model_dir", "/tmp/tpu", "")
tf.flags.DEFINE_integer("train_steps", 4, "")
FLAGS = tf.flags.FLAGS


def host_call_fn(gs, loss, lr):
  step = gs[0]
  with tf.contrib.summary.create_file_writer(FLAGS.model_dir, max_queue=5).as_default():
    with tf.contrib.summary.always_record_summaries():
      tf.contrib.summary.scalar("loss", loss[0], step=step)
      tf.contrib.summary.scalar("learning_rate", lr[0], step=step)
      return tf.contrib.summary.all_summary_ops()


def metric_fn(labels, logits):
  return {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}


def model_fn(features, labels, mode, params):
  net = tf.layers.flatten(features)
  logits = tf.layers.dense(net, 2, kernel_initializer=tf.random_normal_initializer(stddev=0.01))
  loss = tf.losses.softmax_cross_entropy(tf.one_hot(labels, 2), logits)
  if mode == tf.estimator.ModeKeys.EVAL:
    return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, eval_metrics=(metric_fn, [labels, logits]))
  step = tf.train.get_global_step()
  rate = tf.train.polynomial_decay(params["hparams"].learning_rate, step, 100)
  optimizer = tf.train.MomentumOptimizer(rate, 0.9, use_nesterov=True)
  if FLAGS.use_tpu:
    optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
  train_op = optimizer.minimize(loss, global_step=step)
  host_call = None
  if FLAGS.use_tpu:
    host_call = (host_call_fn, [tf.reshape(step, [1]), tf.reshape(loss, [1]), tf.reshape(rate, [1])])
  return tf.contrib.tpu.TPUEstimatorSpec(mode=mode, loss=loss, train_op=train_op, host_call=host_call)


def input_fn(params):
  batch_size = params["batch_size"]
  dataset = tf.data.Dataset.range(32).repeat()
  dataset = dataset.map(lambda i: (tf.fill([4, 4, 1], tf.to_float(i)), tf.to_int32(tf.mod(i, 2))))
  return dataset.apply(tf.contrib.data.batch_and_drop_remainder(batch_size)).prefetch(2)


def main(_):
  hparams = hparam.HParams(learning_rate=0.1)
  cluster = None
  if FLAGS.use_tpu:
    cluster = tf.contrib.cluster_resolver.TPUClusterResolver(FLAGS.tpu)
  config = tf.contrib.tpu.RunConfig(
      cluster=cluster, model_dir=FLAGS.model_dir, save_checkpoints_steps=2,
      tpu_config=tf.contrib.tpu.TPUConfig(
          iterations_per_loop=2, num_shards=8,
          per_host_input_for_training=tf.contrib.tpu.InputPipelineConfig.PER_HOST_V2))
  estimator = tf.contrib.tpu.TPUEstimator(
      model_fn, config=config, use_tpu=FLAGS.use_tpu, train_batch_size=8, eval_batch_size=8,
      params={"hparams": hparams})
  estimator.train(input_fn, max_steps=FLAGS.train_steps)
  print(estimator.evaluate(input_fn, steps=1))


if __name__ == "__main__":
  tf.app.run()
