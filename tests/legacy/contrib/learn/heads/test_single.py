"""Tests of arguments that heads refuse."""

import pytest

from legacy.contrib import learn


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: learn.multi_class_head(1), "n_classes must be > 1"),
        (lambda: learn.multi_class_head(3, metric_class_ids=[3]), r"Class ID 3 not in \[0, 3\)"),
        (lambda: learn.multi_class_head(3, label_keys=["a"]), "Length of label_keys"),
        (lambda: learn.multi_class_head(3, loss_fn=lambda labels: 1), "Argument logits not found"),
        (lambda: learn.multi_head([learn.regression_head()]), "must have names"),
        (lambda: learn.regression_head(label_dimension=0), "Invalid logits_dimension 0"),
    ],
)
def test_mistakes(make, message):
    with pytest.raises(ValueError, match=message):
        make()
