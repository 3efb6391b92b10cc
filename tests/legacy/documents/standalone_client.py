"""The document's standalone client mode: the program on the laptop.

    standalone_client.py MODEL_DIR WORKER,WORKER,WORKER
"""

import sys

import tensorflow as tf

from model import eval_input_fn, input_fn, model_fn

distribution = tf.contrib.distribute.CollectiveAllReduceStrategy(
    num_gpus_per_worker=2)
config = tf.estimator.RunConfig(
    experimental_distribute=tf.contrib.distribute.DistributeConfig(
        train_distribute=distribution,
        remote_cluster={"worker": sys.argv[2].split(",")}))
estimator = tf.estimator.Estimator(model_fn, sys.argv[1], config)
train_spec = tf.estimator.TrainSpec(input_fn=input_fn)
eval_spec = tf.estimator.EvalSpec(input_fn=eval_input_fn)
tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
