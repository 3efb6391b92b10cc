"""Comparison of a port to Keras 3 with itself under the backend JAX or torch.

The other backend runs in a process of its own, since a process has one. Weights and batches go
there in a file, and the computed values come back in another.

Files in reading order:
recording  computes the values that are compared, on either side
side       is the port with the backend of its process
program    runs in the other process: reads the weights and batches, and writes the values
running    starts the program, and returns its values
"""
