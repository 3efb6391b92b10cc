"""Runs a model_fn under a strategy: on one device, all GPUs of a machine, or several machines."""
import json
import os

import tensorflow as tf
from tensorflow.contrib.distribute import CollectiveAllReduceStrategy
from tensorflow.python.client import device_lib


def gpus():
  return [d.name for d in device_lib.list_local_devices() if d.device_type == "GPU"]


def strategy(kind):
  if kind == "mirrored":
    return tf.contrib.distribute.MirroredStrategy(num_gpus=max(len(gpus()), 1))
  if kind == "collective":
    return CollectiveAllReduceStrategy(num_gpus_per_worker=1)
  if kind == "contrib_collective":
    return tf.contrib.distribute.CollectiveAllReduceStrategy(num_gpus_per_worker=0)
  return tf.contrib.distribute.OneDeviceStrategy("/cpu:0")


def model_fn(features, labels, mode):
  layer = tf.layers.Dense(1)
  logits = layer(features)
  if mode == tf.estimator.ModeKeys.PREDICT:
    return tf.estimator.EstimatorSpec(mode, predictions={"logits": logits})
  loss = tf.losses.mean_squared_error(
      labels=labels, predictions=tf.reshape(logits, [-1]), reduction=tf.losses.Reduction.NONE)
  loss = tf.reduce_mean(loss)
  if mode == tf.estimator.ModeKeys.EVAL:
    return tf.estimator.EstimatorSpec(mode, loss=loss)
  train_op = tf.train.GradientDescentOptimizer(0.2).minimize(
      loss, global_step=tf.train.get_global_step())
  return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
  features = tf.data.Dataset.from_tensors([[1.0]])
  labels = tf.data.Dataset.from_tensors([1.0])
  return tf.data.Dataset.zip((features, labels)).repeat(40)


def main(_):
  task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", {})
  distribution = strategy(os.environ.get("STRATEGY", "one"))
  config = tf.estimator.RunConfig(
      model_dir=os.environ.get("MODEL_DIR"), train_distribute=distribution,
      eval_distribute=distribution, log_step_count_steps=10,
      session_config=tf.ConfigProto(log_device_placement=False))
  estimator = tf.estimator.Estimator(model_fn=model_fn, config=config)
  tf.logging.info("This is %s of %s", task, config.cluster_spec)
  tf.estimator.train_and_evaluate(
      estimator,
      tf.estimator.TrainSpec(input_fn=input_fn, max_steps=20),
      tf.estimator.EvalSpec(input_fn=input_fn, steps=2, throttle_secs=0, start_delay_secs=0))


if __name__ == "__main__":
  tf.app.run(main=main)
