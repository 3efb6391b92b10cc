"""Tests of `arguments`, which checks the arguments of heads other than tensors."""

import functools

import pytest

from legacy.estimator.heads import arguments


class LossObject:
    def __call__(self, labels, logits):
        return labels - logits

    def method(self, labels, logits, features):
        return labels - logits


@pytest.mark.parametrize(
    "loss_fn",
    [
        lambda labels, logits, features, loss_reduction: None,
        LossObject(),
        LossObject().method,
        functools.partial(lambda labels, logits, margin: None, margin=1.0),
    ],
)
def test_loss_functions_of_all_kinds(loss_fn):
    arguments.validate_loss_fn_args(loss_fn)


def test_loss_function_that_takes_too_much():
    with pytest.raises(ValueError, match=r"loss_fn has unexpected args: \['name'\]"):
        arguments.validate_loss_fn_args(lambda labels, logits, name=None: None)


def test_loss_function_of_v1_takes_no_reduction():
    with pytest.raises(ValueError, match="loss_reduction"):
        arguments.validate_loss_fn_args(
            lambda labels, logits, loss_reduction: None, arguments.V1_LOSS_FN
        )


@pytest.mark.parametrize("reduction", ["none", "weighted_sum", None, "mean"])
def test_reduction_that_is_none(reduction):
    with pytest.raises(ValueError, match=f"Invalid loss_reduction: {reduction}"):
        arguments.validate_loss_reduction(reduction)


@pytest.mark.parametrize("threshold", [0.0, 1.0, -1, 2])
def test_threshold_out_of_range(threshold):
    with pytest.raises(ValueError, match=r"thresholds not in \(0, 1\).* Given: " + str(threshold)):
        arguments.validate_thresholds([0.5, threshold])
