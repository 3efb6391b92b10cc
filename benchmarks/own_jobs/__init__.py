"""Prepares the comparison of a user's own job: a model_fn, its input functions and a Keras port.

Files in reading order:
own_job          prepares a user's job and plans its exact tier
own_functions    imports and calls the user's functions
input_probe      tests if an input_fn repeats its batches, and counts them
initial_weights  writes the checkpoints that all ways start from
"""
