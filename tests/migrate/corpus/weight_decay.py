"""Fine-tunes an encoder from a checkpoint, with an optimizer of its own and warm-up."""
import re
import sys

import tensorflow as tf


class AdamWeightDecayOptimizer(tf.train.Optimizer):
  """Adam without bias correction. The decay is not part of the gradient."""

  def __init__(self, learning_rate, decay=0.01, exclude=("layer_norm", "bias"), name="AdamDecay"):
    super(AdamWeightDecayOptimizer, self).__init__(False, name)
    self.learning_rate, self.decay, self.exclude = learning_rate, decay, exclude

  def apply_gradients(self, grads_and_vars, global_step=None, name=None):
    assignments = []
    for gradient, variable in grads_and_vars:
      if gradient is None:
        continue
      key = re.sub(":0$", "", variable.name)
      m = tf.get_variable(key + "/m", variable.shape, trainable=False,
                          initializer=tf.zeros_initializer())
      v = tf.get_variable(name=key + "/v", shape=variable.shape, trainable=False,
                          initializer=tf.zeros_initializer())
      next_m = 0.9 * m + tf.multiply(0.1, gradient)
      next_v = 0.999 * v + 0.001 * tf.square(gradient)
      update = next_m / (tf.sqrt(next_v) + 1e-6)
      if not any(re.search(part, key) for part in self.exclude):
        update += self.decay * variable
      assignments += [variable.assign(variable - self.learning_rate * update),
                      m.assign(next_m), v.assign(next_v)]
    return tf.group(*assignments, name=name)


def create_optimizer(loss, rate, steps, warmup):
  step = tf.train.get_or_create_global_step()
  rate = tf.train.polynomial_decay(rate, step, steps, end_learning_rate=0.0)
  ready = tf.cast(tf.to_int32(step) >= warmup, tf.float32)
  rate = ready * rate + (1.0 - ready) * rate * tf.to_float(step) / warmup
  variables = tf.trainable_variables()
  gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), clip_norm=1.0)
  train_op = AdamWeightDecayOptimizer(rate).apply_gradients(zip(gradients, variables))
  return tf.group(train_op, [step.assign(step + 1)])


def model_fn(features, labels, mode, params):
  tf.logging.info("*** Features ***")
  for name in sorted(features):
    tf.logging.info("  name = %s, shape = %s", name, features[name].shape)
  with tf.variable_scope("encoder"):
    table = tf.get_variable("words", [10, 4], initializer=tf.truncated_normal_initializer(0.02))
    net = tf.reduce_mean(tf.gather(table, features["ids"]), 1)
    net = tf.contrib.layers.layer_norm(net, scope="layer_norm")
  if params.get("start"):
    tf.train.init_from_checkpoint(params["start"], {"encoder/": "encoder/"})
  logits = tf.layers.dense(net, 2, kernel_initializer=tf.random_normal_initializer(stddev=0.02))
  per_example = -tf.reduce_sum(tf.one_hot(labels, 2) * tf.nn.log_softmax(logits), -1)
  loss = tf.reduce_mean(per_example)
  if mode == tf.estimator.ModeKeys.EVAL:
    metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, -1)),
               "example_loss": tf.metrics.mean(values=per_example)}
    return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
  return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=create_optimizer(loss, 1e-2, 6, 2))


def input_fn():
  return {"ids": tf.constant([[1, 2], [3, 4]])}, tf.constant([0, 1])


def main(folder):
  first = tf.estimator.Estimator(model_fn, folder + "/first", params={})
  first.train(input_fn, max_steps=3)
  second = tf.estimator.Estimator(model_fn, folder + "/second", params={"start": folder + "/first"})
  second.train(input_fn, max_steps=3)
  print(second.evaluate(input_fn, steps=1))


if __name__ == "__main__":
  main(sys.argv[1])
