"""Canned estimators of the v1 API.

Files in reading order:
linear               defines the linear estimators
dnn                  defines the estimators with a deep network
dnn_linear_combined  combines a linear model and a deep network
baseline             defines estimators that ignore the features
partitioners         partitions variables over parameter servers
parse_example_spec   builds the spec for parsing serialized Examples
"""
