"""Canned estimators of the v2 API.

Files in reading order:
linear               defines the linear estimators
linear_model         computes the logits of a linear model in Keras
dnn                  defines the estimators with a deep network
dnn_model            computes the logits of a deep network in Keras
dnn_linear_combined  combines a linear model and a deep network
baseline             defines estimators that ignore the features
parse_example_spec   builds the spec for parsing serialized Examples
"""
