"""Replaces what only tf.contrib has by calls of layers and optimizers.

Files in reading order:
returned_scopes    writes out the functions that return the scope of an arg_scope
argument_scopes    writes the arguments of arg_scope into the calls that they are meant for
normalized_layers  writes the normalizer_fn of a convolution as calls of its own
stacked_layers     turns stacks of layers into loops
rate_functions     writes out the functions of the learning rate that optimize_loss calls
"""
