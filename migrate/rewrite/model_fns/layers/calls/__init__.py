"""Replaces the calls of a forward pass that make layers and variables, one kind per file.

Files in reading order:
layer_functions     replaces functions of TensorFlow that run a layer, such as tf.layers.dense
keras_layers        replaces Keras layers that a model_fn makes and calls at once
training_arguments  checks and adds the argument `training` of calls
contrib_calls       replaces functions of tf.contrib.layers and slim
contrib_layers      maps tf.contrib.layers and slim to Keras layers
dropout_rates       finds dropout rates that a model_fn chooses by its mode
variables           replaces tf.get_variable and tf.Variable
initial_values      reads the variables of tf.Variable
variable_sums       writes `w += x` as `w = w + x`, if `w` is a variable
recurrent_calls     replaces RNN cells and the functions that run them
recurrent           maps RNN cells to layers of modern.porting
recurrent_cells     finds the RNN cells of a model_fn, which __init__ makes
cell_dropout        reads the dropout of RNN cells in each mode
models              replaces Keras models that a model_fn assigns to names
part_calls          replaces calls of functions with layers
"""
