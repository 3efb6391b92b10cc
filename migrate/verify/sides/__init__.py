"""The two programs under comparison: a legacy model_fn and its Keras port.

Files in reading order:
case             gives both sides the same batches and weights
model_fns        finds the model_fn of an Estimator
legacy_model     runs the model_fn in a graph and a session
port             builds the Keras model, and runs its layers and steps
weight_names     gives each weight of a model a name of its own
values           makes weights that reveal mistakes
slots            reads optimizer state on both sides under the same names
randomness       switches dropout off
watching         records the gradients that a model_fn applies
whole_variables  joins the parts of partitioned variables
feeding          makes placeholders for batches, and configures the session
tolerances       measures how far rounding moves each number
"""
