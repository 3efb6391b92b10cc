"""Readers for all kinds of checkpoints.

Files in reading order:
sources       opens a checkpoint of any kind: open_source(path)
source        defines the interface that all kinds of checkpoints share
contents      describes stored tensors, and finds their roles by their names
bundles       reads checkpoints of TensorFlow
bundle_index  parses the .index file of a checkpoint
object_graph  finds the roles of tensors in an object-based checkpoint
hdf5          reads `.weights.h5`, `.keras` and `.h5` files
keras_config  names the numbered variables of a `.keras` file
"""
