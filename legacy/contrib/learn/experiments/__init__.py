"""Experiments of contrib.learn: an Estimator with its input functions and exports.

Files in reading order:
experiment       trains, evaluates and exports an Estimator in several ways
export_strategy  exports a SavedModel after an evaluation
checks           checks arguments, starts servers and evaluates at checkpoints
"""
