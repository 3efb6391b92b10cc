"""Reads the metrics of a model_fn.

Files in reading order:
of_evaluation  reads the metrics of the EstimatorSpec of an evaluation
functions      follows the function that makes the metrics of a TPUEstimatorSpec
kinds          lists the metrics that Keras has, too
streamed       collects the statements of metrics that Keras does not have
"""
