"""Canned estimators: ready-made models for feature columns.

Files in reading order:
v2               implements the canned estimators of the v2 API
v1               implements those of the v1 API
feature_columns  checks and sorts feature columns
optimizers       creates the optimizer that an `optimizer` argument specifies
logit_fns        calls a function that computes logits
layer_summaries  writes summaries of layers
linear_sdca      trains linear estimators with LinearSDCA
sdca             implements stochastic dual coordinate ascent
rnn              defines RNNEstimator and RNNClassifier
kmeans           defines KMeansClustering
clustering       builds the graph of k-means
argument_texts   describes the arguments that several estimators take
"""
