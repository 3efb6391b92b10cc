"""Finds the layers of a forward pass, and keeps the names of their variables.

Files in reading order:
objects         turns calls of layers into objects that __init__ makes
contrib_layers  maps tf.contrib.layers and slim to Keras layers
initial_values  reads the variables of tf.Variable
variable_sums   writes `w += x` as `w = w + x`, if `w` is a variable
dropout_rates   finds dropout rates that a model_fn chooses by its mode
recurrent       maps RNN cells to layers of modern.porting
cell_dropout    reads the dropout of RNN cells in each mode
recurrent_cells finds the RNN cells of a model_fn, which __init__ makes
loop_nests      finds loops of which __init__ repeats the structure to make their layers
shared_objects  finds the layers and variables that several calls share
numbering       decides which classes number their layers when they are made
idle_averages   keeps the averages of batch normalization that no step updated
object_lines    writes the lines of __init__ that make objects, and the loops over them
parts           turns functions with layers into layer classes
naming          chooses names for the attributes of layers
variable_names  writes names of layers, so that variables keep their names
"""
