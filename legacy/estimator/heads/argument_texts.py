"""Descriptions of the arguments of heads, by argument name.

>>> {**SHARED, **REGRESSION}["batch"]
'all labels of the batch'

`V1` and `V2` supply the texts that differ between the APIs. Merge one of them with the table of a
head, and pass the result to `legacy.estimator.docstrings.documented`.
"""

# Describes the arguments of all heads.
SHARED = {
    "n_classes": "Number of classes, two or more.",
    "weight_column": "Feature with the weights of the examples, as a name or a {weight_kind}.",
    "thresholds": "Probabilities in (0, 1). Each threshold gets metrics of accuracy, precision and "
    "recall.",
    "label_vocabulary": "Names of the classes, as a list or tuple of strings. {vocabulary_use}",
    "vocabulary_use": "If set, labels are such names.",
    "batch": "the batch",
    "loss_fn": "Function of (labels, logits) or (labels, logits, features). {loss_labels} It "
    "returns the unreduced loss, [D0, ..., DN, {loss_dimension}]. Defaults to the head's loss.",
    "loss_labels": "Labels are in the form that the head converts them to.",
    "loss_dimension": "1",
    "name": "Name of the head. It is appended to the names of metrics and summaries after a slash, "
    "and it is the name scope of the operations.",
    "features": "Dict of features by name. The weight column is read from it.",
    "mode": "One of `ModeKeys`.",
    "logits": "Output of the model, [D0, ..., DN, logits_dimension].",
    "labels": "A tensor, or a dict of tensors by name.",
    "keys": "Names from `KEYS`. Defaults to all of them.",
    "regularization_losses": "Scalar tensors that are added to the loss.",
}

V1 = {
    "weight_kind": "dense column",
    "loss_reduction": "One of `tf.compat.v1.losses.Reduction` except NONE.",
    "optimizer": "A v1 optimizer, for mode TRAIN.",
}
V2 = {
    "weight_kind": "`tf.feature_column.numeric_column`",
    "loss_reduction": "One of `tf.losses.Reduction` except NONE. Defaults to the mean over "
    "{batch}.",
    "optimizer": "A `tf_keras.optimizers.legacy.Optimizer`, for mode TRAIN. Its `iterations` "
    "should be the global step.",
}

BINARY_CLASS = SHARED | {
    "logits": "A tensor, [D0, ..., DN, 1].",
    "vocabulary_use": "If set, labels are such names. Otherwise they are numbers in [0, 1].",
    "loss_labels": "Labels are floats.",
}
MULTI_CLASS = SHARED | {
    "logits": "A tensor, [D0, ..., DN, n_classes].",
    "n_classes": "Number of classes, three or more.",
    "vocabulary_use": "If set, labels are such names. Otherwise they are indices.",
    "loss_labels": "Labels are indices.",
}
MULTI_LABEL = SHARED | {
    "logits": MULTI_CLASS["logits"],
    "vocabulary_use": "If set, sparse labels are such names.",
    "loss_labels": "Labels are indicators.",
    "classes_for_class_based_metrics": "Indices or names of the classes that get their own "
    "metrics.",
}
REGRESSION = SHARED | {
    "logits": "A tensor, [D0, ..., DN, label_dimension].",
    "weight_column": SHARED["weight_column"] + " It holds one weight per example or one per label.",
    "batch": "all labels of the batch",
    "loss_labels": "Labels are floats.",
    "loss_dimension": "label_dimension",
    "label_dimension": "Number of labels per example, the last dimension of logits and labels.",
    "inverse_link_fn": "Function from logits to predictions. Defaults to the identity.",
    "compute_full_loss": "If true, the loss includes the constant log(label!), in Stirling's "
    "approximation.",
}

# Describes the arguments of `create_estimator_spec`.
SPEC = SHARED | {
    "labels": "A tensor, or a dict of tensors by name. Required in TRAIN and EVAL.",
    "trainable_variables": "Variables that the optimizer trains.",
    "train_op_fn": "Function that creates the train op from the loss, instead of an optimizer.",
    "update_ops": "Operations that run with each training step, such as those of batch "
    "normalization.",
}
MULTI = SPEC | {
    "heads": "Heads, each with a name.",
    "head_weights": "Weights of the heads' losses, one per head.",
    "features": "Dict of features by name. The heads read their weight columns from it.",
    "logits": "Dict of logits by head name, or one tensor.",
    "labels": "Dict of labels by head name.",
    "regularization_losses": "Scalar tensors that are added to the sum of the heads' losses.",
}

# Describes the arguments of functions that compute metrics.
METRICS = {
    "labels": "A tensor of 0 and 1.",
    "predictions": "Probabilities, in the shape of the labels.",
    "probabilities": "Probabilities, in the shape of the labels.",
    "weights": "A tensor that can be broadcast to the values, a number, or None.",
    "curve": '"ROC" or "PR".',
    "threshold": "A number in (0, 1).",
    "thresholds": "Numbers in (0, 1).",
    "summary_key": "Function that adds the head's name to the name of a metric.",
    "name": "Name of the scope.",
}
