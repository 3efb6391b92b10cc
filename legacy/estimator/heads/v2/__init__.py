"""Heads of the v2 API, with Keras metrics and optimizers.

Files in reading order:
base_head     defines Head, and builds train ops and summaries
single        implements the parts that heads with one kind of label share
regression    predicts numbers, means of Poisson distributions and probabilities
binary_class  predicts one of two classes
multi_class   predicts one of three or more classes
multi_label   predicts any number of classes for each example
multi         combines several heads
sequential    applies a head to each step of a sequence
metrics       computes metrics at thresholds and an accuracy baseline
"""
