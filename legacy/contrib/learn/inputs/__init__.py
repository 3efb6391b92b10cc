"""Inputs of contrib.learn's Estimators: arrays, inferred columns and serving input functions.

Files in reading order:
core_input_fns    feeds arrays and frames, as tf.estimator's input functions do
data_feeder       feeds arrays and iterators batch by batch
infer_columns     infers feature columns for numeric input
input_fn_utils    builds serving input functions
tensor_signature  compares the types and shapes of tensors with earlier ones
"""
