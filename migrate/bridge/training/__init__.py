"""Trainings of a bridged model: hooks, and the connection to the training engine.

Files in reading order:
adapter        gives the engine the step, the loss and the checkpoints of a bridged model
hooks          converts the hooks of an EstimatorSpec to Keras callbacks
session_hooks  runs the program's own SessionRunHooks at each step
"""
