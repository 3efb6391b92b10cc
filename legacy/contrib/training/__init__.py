"""tf.contrib.training: hyperparameters, training and evaluation loops without an Estimator.

    hparams = training.HParams(learning_rate=0.1)
    train_op = training.create_train_op(loss, tf.compat.v1.train.AdamOptimizer())
    training.train(train_op, "/tmp/model", hooks=[tf.compat.v1.train.StopAtStepHook(100)])

Files in reading order:
hparam         holds hyperparameters and parses them from a string
hparam_pb2     defines the protocol buffer of hyperparameters
train_op       creates train ops and runs them in a loop
evaluation     evaluates a checkpoint, or each new one
bucketing      batches examples of similar length
device_setter  chooses the parameter server of each variable
"""

from legacy.contrib import _missing
from legacy.contrib.training.bucketing import bucket, bucket_by_sequence_length
from legacy.contrib.training.device_setter import (
    GreedyLoadBalancingStrategy,
    RandomStrategy,
    byte_size_load_fn,
)
from legacy.contrib.training.evaluation import (
    StopAfterNEvalsHook,
    SummaryAtEndHook,
    checkpoints_iterator,
    evaluate_once,
    evaluate_repeatedly,
    get_or_create_eval_step,
    wait_for_new_checkpoint,
)
from legacy.contrib.training.hparam import HParams, parse_values
from legacy.contrib.training.train_op import (
    add_gradients_summaries,
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
    train,
)

__getattr__ = _missing.attribute_of("training")

__all__ = [
    "GreedyLoadBalancingStrategy",
    "HParams",
    "RandomStrategy",
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "add_gradients_summaries",
    "bucket",
    "bucket_by_sequence_length",
    "byte_size_load_fn",
    "checkpoints_iterator",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
    "multiply_gradients",
    "parse_values",
    "train",
    "wait_for_new_checkpoint",
]
