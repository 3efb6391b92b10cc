"""tf.contrib.losses: losses that take predictions before labels, and metric learning.

    loss = losses.softmax_cross_entropy(logits, onehot_labels)
    total = losses.get_total_loss()

Files in reading order:
loss_ops         computes losses and adds them to the collection LOSSES
metric_learning  computes losses of embeddings: triplet_semihard_loss
"""

from legacy.contrib import _missing
from legacy.contrib.losses import metric_learning
from legacy.contrib.losses.loss_ops import (
    absolute_difference,
    add_loss,
    compute_weighted_loss,
    cosine_distance,
    get_losses,
    get_regularization_losses,
    get_total_loss,
    hinge_loss,
    log_loss,
    mean_pairwise_squared_error,
    mean_squared_error,
    sigmoid_cross_entropy,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy,
)

__getattr__ = _missing.attribute_of("losses")

__all__ = [
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "log_loss",
    "mean_pairwise_squared_error",
    "mean_squared_error",
    "metric_learning",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]
