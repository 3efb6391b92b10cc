"""Expands a model_fn in a copy of its file, into statements that the analysis supports.

Files in reading order:
draft                the copy of the file, with the original number of each line
functions            replaces calls of the program's own functions by their statements
contrib              replaces what only tf.contrib has by calls of layers and optimizers
owners               renames the `self` of a method, and turns its state into variables
records              replaces entries of dictionaries by variables
collected_losses     replaces the sum of a collection of losses by a sum of variables
cell_builders        writes RNN cells of loops, branches and helpers as expressions
cell_items           turns loops that set the items of a list of RNN cells into comprehensions
layer_objects        turns objects of tf.layers into calls of its functions
comprehension_loops  turns comprehensions that make layers into loops
table_statements     gives each lookup table a name
scope_defaults       writes the initializers of variable scopes into the layers of the scopes
loop_scopes          writes the names of scopes in loops into the names of their layers
mode_branches        turns assignments that choose by the mode into branches
training_flags       writes out the training flags that calls of Keras models leave out
conditional_metrics  turns conditions around metrics into conditional expressions
expanded             expands a model_fn as far as its analysis needs
"""
