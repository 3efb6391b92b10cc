"""Descriptions of the arguments of canned estimators, by argument name.

>>> {**DNN, **V1}["columns"], {**DNN, **V2}["columns"]
('feature columns', 'feature columns of `tf.feature_column`')

`V1` and `V2` supply the words that differ between the APIs. Merge one of them with the table of a
model, and pass the result to `legacy.estimator.docstrings.documented`.
"""

_BY_SIZE = "None partitions variables over 64 MiB among the parameter servers."

# Describes the arguments of all models.
SHARED = {
    "features": "Dict of tensors or sparse tensors by name. The first dimension is the batch.",
    "labels": "Labels in the form that the head expects. None in mode PREDICT.",
    "mode": "One of `ModeKeys`.",
    "head": "{a_head}. Its `logits_dimension` is the number of logits.",
    "units": "Number of logits.",
    "model_dir": "Directory of checkpoints and event files.",
    "n_classes": "Number of classes. Integer labels are in [0, n_classes).",
    "weight_column": "Feature with the weights of examples, as a name or a numeric column.",
    "label_vocabulary": "Names of the classes in order, if labels are strings.",
    "label_dimension": "Number of values per label. Labels are [batch_size, label_dimension].",
    "optimizer": '"Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD" with {learning_rate}. Or '
    "{an_optimizer}, or a callable that returns one.",
    "config": "A `RunConfig`.",
    "warm_start_from": "Path of a checkpoint, or `WarmStartSettings`.",
    "loss_reduction": "One of {reductions} except NONE. Defaults to the {default_reduction}.",
}

V1 = {
    "a_head": "A v1 head (tf.contrib.estimator) or a v2 `Head`",
    "an_optimizer": "a `tf.compat.v1.train.Optimizer`",
    "columns": "feature columns",
    "default_reduction": "sum",
    "reductions": "`tf.compat.v1.losses.Reduction`",
    # Only models of the v1 API partition their variables.
    "config": "A `RunConfig`. Its `num_ps_replicas` is the number of parameter servers.",
}
V2 = {
    "a_head": "A `Head`, such as `MultiLabelHead`",
    "an_optimizer": "a `tf.keras.optimizers.legacy` optimizer",
    "columns": "feature columns of `tf.feature_column`",
    "default_reduction": "mean over the batch",
    "reductions": "`tf.losses.Reduction`",
}

BASELINE = SHARED | {"learning_rate": "a learning rate of 0.3"}
# Describes the arguments of functions that compute the logits of a baseline.
BASELINE_LOGITS = BASELINE | {
    "bias": "Variable of shape [logits].",
    "num_outputs": "Number of logits.",
    "weight_column": "Feature with the weights of examples, as a name or a numeric column. It is "
    "not used to determine the batch size, because it is missing in serving.",
}

LINEAR = SHARED | {
    "feature_columns": "Dense or categorical {columns}.",
    "learning_rate": "a learning rate of 0.2",
    "name": "Scope of the variables.",
    "optimizer": SHARED["optimizer"] + " Or an `experimental.LinearSDCA`.",
    "partitioner": f"Partitioner of the variables. {_BY_SIZE}",
    "sparse_combiner": "Combiner for several ids of a column in one example: "
    '"sum", "mean" or "sqrtn".',
}

DNN = SHARED | {
    "hidden_units": "Sizes of the hidden layers, starting at the input.",
    "feature_columns": "Dense {columns}.",
    "activation_fn": "Activation of the hidden layers. None means the identity.",
    "dropout": "Fraction of each hidden layer's outputs to drop in training, or None.",
    "input_layer_partitioner": f"Partitioner of the feature columns' variables. {_BY_SIZE}",
    "batch_norm": "If true, applies batch normalization after each hidden layer.",
}

COMBINED = SHARED | {
    "linear_feature_columns": "Dense or categorical {columns} for the linear side, or None.",
    "linear_optimizer": "Optimizer of the linear side: " + SHARED["optimizer"],
    "learning_rate": "a learning rate of 1 / sqrt(columns), at most 0.005",
    "linear_sparse_combiner": LINEAR["sparse_combiner"],
    "dnn_feature_columns": "Dense {columns} for the deep side, or None.",
    "dnn_optimizer": "Optimizer of the deep side, in the same form. For a name, the learning rate "
    "is 0.001.",
    "dnn_hidden_units": DNN["hidden_units"],
    "dnn_activation_fn": DNN["activation_fn"],
    "dnn_dropout": DNN["dropout"],
    "batch_norm": DNN["batch_norm"],
    "input_layer_partitioner": "Partitioner of the variables of the feature columns and of the "
    f"linear side. {_BY_SIZE}",
}

PARSING = SHARED | {
    "feature_columns": "Feature columns of the model.",
    "label_key": "Key of the label in the Example.",
    "label_dtype": "Dtype of the label. It is tf.string for a classifier with a "
    "`label_vocabulary`.",
    "label_default": "Label of an Example without a label. If None, such an Example is an error.",
    "weight_column": "Key of the weight, or a `numeric_column`. None means no weights.",
}
