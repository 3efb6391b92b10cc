"""Follows a model_fn through each mode, and splits it into parts.

Files in reading order:
shape          splits a model_fn into forward pass, loss, metrics and predictions
heads          finds the head of a model_fn
modes          finds the statements that a model_fn executes in each mode
label_tests    finds tests for missing labels
resolving      finds the values of names at the end of a path
dictionaries   reads the entries of dictionaries that a path fills
specifications reads the EstimatorSpec at the end of a path
metrics        reads the metrics of an evaluation
evaluated_predictions compares the predictions of an evaluation with those of a prediction
sharing        finds the statements that all modes share
slices         finds the statements that a name depends on
known_values   finds the values that are known when the model is made
scopes         follows variable scopes and their reuse
lookup_tables  finds lookup tables
keras_objects  checks Keras layers and models that a model_fn makes
chosen_functions recognizes functions of TensorFlow that a setting chooses
log_calls      recognizes functions of Python that print or log
checks         refuses operations that a method of a Keras model cannot do
"""
