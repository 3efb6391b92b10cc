"""Expands a model_fn in a copy of its file, into statements that the analysis supports.

Files in reading order:
draft                the copy of the file, with the original number of each line
other_names          finds what the names of another function are in the file of its call
imported_helpers     copies functions of other files that a model_fn calls
helpers              finds the functions of the file that a model_fn calls
inlining             replaces calls of helpers by their statements
returns              splits the body of a function at its returns, into branches
owners               renames the `self` of a method, and turns its state into variables
own_names            renames an inner function whose name its result takes over
records              replaces entries of dictionaries by variables
collected_losses     replaces the sum of a collection of losses by a sum of variables
cell_builders        writes RNN cells of loops, branches and helpers as expressions
argument_scopes      writes the arguments of arg_scope into the calls that they are meant for
normalized_layers    writes the normalizer_fn of a convolution as calls of its own
stacked_layers       turns stacks of tf.contrib.layers into loops
layer_objects        turns objects of tf.layers into calls of its functions
rate_functions       writes out the functions of the learning rate that optimize_loss calls
mode_branches        turns assignments that choose by the mode into branches
conditional_metrics  turns conditions around metrics into conditional expressions
expanded             expands a model_fn as far as its analysis needs
"""
