"""Writes the Keras models that replace canned Estimators.

Files in reading order:
canned_models      writes the model, in a function that builds it or in the place of the Estimator
canned_heads       writes the head with the loss and the metrics
preprocessing      writes preprocessing layers for feature columns
canned_optimizers  writes the Keras optimizer that takes the same steps
"""
