"""The two other ways to a TPU: Keras, and the names of tf.estimator.tpu."""
import os

import tensorflow as tf


def keras_on_a_tpu(model):
  resolver = tf.contrib.cluster_resolver.TPUClusterResolver("grpc://" + os.environ["TPU_ADDRESS"])
  strategy = tf.contrib.tpu.TPUDistributionStrategy(resolver)
  return tf.contrib.tpu.keras_to_tpu_model(model, strategy=strategy)


def model_fn(features, labels, mode, params):
  logits = tf.layers.dense(features, 1)
  loss = tf.losses.mean_squared_error(labels, logits)
  optimizer = tf.train.AdagradOptimizer(0.1)
  if params["use_tpu"]:
    optimizer = tf.tpu.CrossShardOptimizer(optimizer)
  train_op = optimizer.minimize(loss, tf.train.get_global_step())

  def scaffold_fn():
    tf.train.init_from_checkpoint(params["start"], {"dense/": "dense/"})
    return tf.train.Scaffold()

  return tf.estimator.tpu.TPUEstimatorSpec(
      mode=mode, loss=loss, train_op=train_op, scaffold_fn=scaffold_fn)


def estimator(folder, use_tpu):
  config = tf.estimator.tpu.RunConfig(
      model_dir=folder, tpu_config=tf.estimator.tpu.TPUConfig(iterations_per_loop=10))
  return tf.estimator.tpu.TPUEstimator(
      model_fn=model_fn, config=config, use_tpu=use_tpu, train_batch_size=16,
      params={"use_tpu": use_tpu})


def main():
  model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
  model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
  keras_on_a_tpu(model).summary()


if __name__ == "__main__":
  main()
