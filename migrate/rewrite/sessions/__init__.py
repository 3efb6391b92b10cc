"""Gives session code a graph of its own, so that Keras can train in the same program.

A session runs the operations of a graph. Without `disable_v2_behavior`, operations outside of any
graph are executed at once, and no session can run them.

Files in reading order:
tensor_values  tells tensors and other parts of a graph from plain values
estimator_use  finds the code that makes or uses an Estimator
graph_flow     finds the tensors that would leave or enter a graph
inspected_inputs finds calls of input functions by which a program looks at its data
unused_placeholders finds placeholders that nothing reads, and operations on them
session_code   finds the code around each session, and gives it a graph
"""
