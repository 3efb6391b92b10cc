"""The document's TF_CONFIG of three workers and two ps, with ParameterServerStrategy.

    parameter_server.py MODEL_DIR
"""

import sys

import tensorflow as tf

from model import eval_input_fn, input_fn, model_fn


def model_main():
  distribution = tf.contrib.distribute.ParameterServerStrategy()
  config = tf.estimator.RunConfig(train_distribute=distribution)
  estimator = tf.estimator.Estimator(model_fn, sys.argv[1], config)
  train_spec = tf.estimator.TrainSpec(input_fn=input_fn)
  eval_spec = tf.estimator.EvalSpec(input_fn=eval_input_fn)
  tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)


model_main()
