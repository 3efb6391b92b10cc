"""The document's third listing: three workers in step, TF_CONFIG in each.

    collective_all_reduce.py MODEL_DIR

The environment has TF_CONFIG, where the document assigns it to os.environ in each worker.
"""

import sys

import tensorflow as tf

from model import eval_input_fn, input_fn, model_fn


def model_main():
  distribution = tf.contrib.distribute.CollectiveAllReduceStrategy(
      num_gpus_per_worker=2)
  config = tf.estimator.RunConfig(train_distribute=distribution)
  estimator = tf.estimator.Estimator(model_fn, sys.argv[1], config)
  train_spec = tf.estimator.TrainSpec(input_fn=input_fn)
  eval_spec = tf.estimator.EvalSpec(input_fn=eval_input_fn)
  tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)


model_main()
