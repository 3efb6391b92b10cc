"""The heads of contrib.learn under their old names. See `heads.single` and `heads.multi`."""

from legacy.contrib import _missing
from legacy.contrib.learn.heads.multi import multi_head
from legacy.contrib.learn.heads.single import (
    Head,
    binary_svm_head,
    multi_class_head,
    multi_label_head,
    no_op_train_fn,
    poisson_regression_head,
    regression_head,
)

__getattr__ = _missing.attribute_of("learn")

__all__ = [
    "Head",
    "binary_svm_head",
    "multi_class_head",
    "multi_head",
    "multi_label_head",
    "no_op_train_fn",
    "poisson_regression_head",
    "regression_head",
]
