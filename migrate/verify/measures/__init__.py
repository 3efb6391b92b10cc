"""Measurements on which the levels are built.

Files in reading order:
activations      finds the tensor of the old graph that equals a layer's output
gradients        compares the gradients of both sides
dropouts         compares dropout rates and the places of dropout
magnitudes       repeats the forward pass from smaller and larger weights
optimizer_probe  compares single optimizer steps from tiny gradients
"""
