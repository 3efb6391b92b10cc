"""A job of tf.contrib.learn, which came before tf.estimator."""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow.contrib import learn
from tensorflow.contrib.learn import ModeKeys
from tensorflow.contrib.learn.python.learn import learn_runner
from tensorflow.contrib.learn.python.learn.metric_spec import MetricSpec


def model_fn(features, targets, mode, params):
  logits = tf.contrib.layers.fully_connected(features["x"], 2, activation_fn=None)
  classes = tf.argmax(logits, 1)
  if mode == tf.contrib.learn.ModeKeys.INFER:
    return tf.contrib.learn.ModelFnOps(mode=mode, predictions={"classes": classes})
  loss = tf.losses.sparse_softmax_cross_entropy(targets, logits)
  train_op = None
  if mode == tf.contrib.learn.ModeKeys.TRAIN:
    train_op = tf.contrib.layers.optimize_loss(
        loss, tf.contrib.framework.get_global_step(), params.learning_rate, "SGD")
  assert mode in (ModeKeys.TRAIN, tf.contrib.learn.ModeKeys.EVAL)
  return learn.ModelFnOps(mode, {"classes": classes}, loss, train_op)


def inputs():
  x = tf.constant([[0.0, 1.0], [1.0, 0.0]] * 4)
  return {"x": x}, tf.constant([0, 1] * 4)


def experiment_fn(run_config, hparams):
  estimator = tf.contrib.learn.Estimator(model_fn, config=run_config, params=hparams)
  metrics = {"accuracy": tf.contrib.learn.MetricSpec(
      tf.contrib.metrics.streaming_accuracy, prediction_key="classes")}
  return tf.contrib.learn.Experiment(
      estimator, inputs, inputs, eval_metrics=metrics, train_steps=hparams.steps,
      eval_steps=1, eval_delay_secs=0)


def canned(folder, path):
  table = tf.contrib.learn.datasets.base.load_csv_with_header(
      filename=path, target_dtype=np.int32, features_dtype=np.float32)
  columns = [tf.contrib.layers.real_valued_column("", dimension=table.data.shape[1])]
  classifier = tf.contrib.learn.DNNClassifier(columns, hidden_units=[4], n_classes=2,
                                              model_dir=folder)
  classifier.fit(x=table.data, y=table.target, steps=3)
  return classifier


def main(folder):
  hparams = tf.contrib.training.HParams(learning_rate=0.1, steps=5)
  hparams.parse("steps=4")
  config = tf.contrib.learn.RunConfig(model_dir=folder, save_checkpoints_steps=2)
  learn_runner.run(experiment_fn, run_config=config, schedule="train_and_evaluate",
                   hparams=hparams)


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("--job-dir", required=True)
  main(parser.parse_args().job_dir)
