"""Optimizers, schedules and gradient compression.

Files in reading order:
combined     uses one optimizer for some layers and another for the rest
schedules    scales the learning rate with the global batch, warms it up and decays it
compression  sends gradients as 16-bit floats
"""
