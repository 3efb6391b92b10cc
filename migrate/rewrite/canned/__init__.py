"""Writes the Keras models that replace canned Estimators.

Files in reading order:
canned_models      writes a function that builds the model, its head and its compile call
preprocessing      writes preprocessing layers for feature columns
canned_optimizers  writes the Keras optimizer that takes the same steps
"""
