"""Heads of contrib.learn: from logits to ModelFnOps.

Files in reading order:
base               defines Head, and builds the operations of a head with one kind of labels
labels_and_losses  computes labels, weights, losses and streaming metrics
kinds              defines the predictions and metrics of each kind of head
single             creates heads for one kind of labels each
multi              combines several heads into one
"""
