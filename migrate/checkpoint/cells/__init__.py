"""Recurrent cells, whose weights Keras keeps in another layout than tf.nn.rnn_cell.

An old cell has one kernel for the inputs and the state. Keras has two, and its gates are in another
order.

Files in reading order:
gates           converts arrays between the layouts
finding         finds the cells among the tensors of a checkpoint
forget_biases   reads the forget_bias of old cells from the graph of a checkpoint
layer_settings  finds layers of a model that compute something else than an old cell
layout_view     shows a checkpoint as if its cells had the layout of another checkpoint
"""
