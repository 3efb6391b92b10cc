"""Compares regressors on one table: linear, deep, and a Keras model made an Estimator."""
import argparse
import sys

import numpy as np
import tensorflow as tf
import tensorflow.contrib.estimator as contrib_estimator
from tensorflow import estimator as tf_estimator

numpy_input_fn = tf.estimator.inputs.numpy_input_fn


def rmse(labels, predictions):
  predicted = tf.reshape(predictions["predictions"], [-1])
  return {"rmse": tf.metrics.root_mean_squared_error(tf.to_float(labels), predicted)}


def keras_estimator(model_dir):
  model = tf.keras.Sequential([
      tf.keras.layers.Dense(8, activation="relu", input_shape=(3,), name="hidden"),
      tf.keras.layers.Dense(1)])
  model.compile(optimizer=tf.train.AdamOptimizer(0.01), loss="mse")
  return tf.keras.estimator.model_to_estimator(keras_model=model, model_dir=model_dir)


def columns_model_fn(features, labels, mode, params):
  net = tf.feature_column.input_layer(features, params["columns"])
  predictions = tf.squeeze(tf.layers.dense(net, 1), 1)
  loss = tf.losses.mean_squared_error(labels, predictions)
  train_op = tf.train.FtrlOptimizer(0.1).minimize(loss, tf.train.get_global_step())
  return tf_estimator.EstimatorSpec(mode, predictions, loss, train_op)


def rows(seed=0):
  random = np.random.RandomState(seed)
  x = random.uniform(size=(64, 3)).astype(np.float32)
  return x, x.dot(np.array([1.0, -2.0, 0.5], np.float32)) + 3.0


def run(args):
  x, y = rows()
  columns = [tf.feature_column.numeric_column("x", shape=[3])]
  config = tf_estimator.RunConfig(model_dir=args.model_dir + "/linear", tf_random_seed=2)
  linear = tf.estimator.LinearRegressor(
      feature_columns=columns, config=config, optimizer="Ftrl",
      loss_reduction=tf.losses.Reduction.SUM)
  deep = tf_estimator.DNNRegressor(
      hidden_units=[8], feature_columns=columns, model_dir=args.model_dir + "/deep",
      optimizer=lambda: tf.train.AdamOptimizer(
          tf.train.cosine_decay(0.1, tf.train.get_global_step(), args.steps)))
  deep = contrib_estimator.add_metrics(deep, rmse)
  for regressor in (linear, deep):
    regressor.train(numpy_input_fn({"x": x}, y, shuffle=True, num_epochs=None), steps=args.steps)
    print(regressor.evaluate(numpy_input_fn({"x": x}, y, shuffle=False)))
  custom = tf_estimator.Estimator(columns_model_fn, args.model_dir + "/custom", params={"columns": columns})
  custom.train(numpy_input_fn({"x": x}, y, shuffle=False), steps=args.steps)
  keras = keras_estimator(args.model_dir + "/keras")
  keras.train(numpy_input_fn({"hidden_input": x}, y, shuffle=False, num_epochs=None),
              steps=args.steps)


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("--model_dir", default="/tmp/prices")
  parser.add_argument("--steps", type=int, default=200)
  run(parser.parse_args(sys.argv[1:]))
