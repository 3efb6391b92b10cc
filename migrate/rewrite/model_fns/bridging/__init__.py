"""Finds model_fns that need a session, so that Keras cannot train them unchanged.

Files in reading order:
reasons        asks all other files of this folder
graph_inputs   finds inputs that only the graph of a session has
hooks          finds hooks that feed values or run operations
variable_lists finds code that hashes or compares the variables of a list
"""
