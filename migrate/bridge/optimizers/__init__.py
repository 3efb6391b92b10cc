"""Optimizers of a model_fn, applied by Keras.

Files in reading order:
watching     intercepts each `apply_gradients` of a v1 optimizer
translation  makes the Keras optimizer that is equivalent to a v1 optimizer
"""
