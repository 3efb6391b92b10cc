"""Calls of a model_fn in graphs: first in a v1 graph, then inside tf.functions.

Files in reading order:
calling          calls a model_fn with the arguments that it takes
blueprint        calls a model_fn once in a v1 graph, and records its variables and optimizers
variables        creates the recorded variables, and finds them again in each trace
graph_writes     finds the variables that operations write
frozen_variables leaves out assignments that a session did not run
unordered        finds reads and writes that a session runs in no fixed order
session_parts    disables initializers, Savers and summaries in a trace
lookup_tables    makes lookup tables once, and a copy on each worker
tensor_equality  compares variables by identity in a trace
contexts         sets the tf.distribute context that a model_fn sees
variable_ops     adds `op` and `graph` to eager variables
keras_layers     restores Keras classes after a v1 graph
graph_columns    creates feature columns that TensorFlow allows only in graphs
"""
