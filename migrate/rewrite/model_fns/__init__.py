"""Turns model_fns into Keras models.

Files in reading order:
expansion      writes out helpers, scopes and objects of a model_fn as plain statements
analysis       follows a model_fn through each mode, and splits it into parts
bridging       finds model_fns that need a session, so that Keras cannot train them unchanged
layers         finds the layers of a forward pass, and keeps the names of their variables
bound_arguments reads model_fns of which a partial or a lambda sets arguments
aliases        follows names that stand for model_fns
builders       finds the Estimators that train the results of a function
places         finds the function that an Estimator trains, and the place for its class
of_estimators  finds the model_fn of an Estimator, and reads it as a Keras model
other_files    uses the class of a model_fn in another file
keras_model    reads a model_fn as a Keras model, with checks of the whole function
class_text     writes the text of the tf_keras.Model subclass
lost_output    finds output of a model_fn that its Keras model does not have
replacement    replaces functions by their classes
rendering      writes statements with replaced parts, at a new indent
metrics        turns eval_metric_ops into Keras metrics
rates          turns the statements of a learning rate into a function
choices        finds values that a model_fn chooses by its settings
optimizers     turns a train_op into a Keras optimizer
"""

from __future__ import annotations


class NotUnderstood(Exception):
    """Raised if a model_fn has no Keras model. It completes "model_fn is not understood: "."""


class OtherMetrics(NotUnderstood):
    """Raised if a metric has no counterpart in Keras."""
