"""Base classes of the v1 heads, which build graphs with tf.compat.v1 metrics.

>>> import tensorflow as tf
>>> from legacy.estimator.heads import v1
>>> head = v1.regression_head()
>>> with tf.Graph().as_default():
...     spec = head.create_estimator_spec({}, "eval", tf.zeros([2, 1]), labels=tf.ones([2, 1]))
>>> sorted(spec.eval_metric_ops)
['average_loss', 'label/mean', 'prediction/mean']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = argument_texts.SPEC | argument_texts.V1


class LossSpec(NamedTuple):
    """Return value of `create_loss`. In a MultiHead, all fields but the first are dicts by head.

    Attributes:
      training_loss: The weighted and reduced loss, a scalar.
      unreduced_loss: The loss of each example before weighting.
      weights: Weights of the examples, a tensor or 1.0.
      processed_labels: Labels in the form that the loss uses, such as class ids.
    """

    training_loss: tf.Tensor
    unreduced_loss: Any
    weights: Any
    processed_labels: Any


class Head:
    """Interface of the v1 heads.

    A subclass defines `name`, `logits_dimension`, `create_loss` and `create_estimator_spec`.
    """

    @property
    def name(self) -> str | None:
        """Name of the head, appended to the names of its metrics and summaries, or None."""
        raise NotImplementedError("Calling an abstract method.")

    @property
    def logits_dimension(self) -> int:
        """Size of the last dimension of the logits."""
        raise NotImplementedError("Calling an abstract method.")

    @documented(argument_texts.SHARED)
    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        """Computes the loss.

        {args}

        Returns:
          A LossSpec.
        """
        raise NotImplementedError("Calling an abstract method.")

    @documented(_TEXTS)
    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Callable[[tf.Tensor], Any] | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec for the mode.

        {args}

        Returns:
          An EstimatorSpec.

        Raises:
          ValueError: If in mode TRAIN both or neither of `optimizer` and `train_op_fn` are passed,
            or if labels are missing.
          NotImplementedError: If the class of the head does not define this method.
        """
        try:
            spec = self._create_tpu_estimator_spec(
                features, mode, logits, labels, optimizer, train_op_fn, regularization_losses
            )
        except NotImplementedError as error:
            raise NotImplementedError(
                "Subclasses of _Head must implement `create_estimator_spec()` or "
                f"_create_tpu_estimator_spec(). {type(self).__name__} has neither."
            ) from error
        return spec.as_estimator_spec()

    def _create_tpu_estimator_spec(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")


def summary_key(head_name: str | None, key: str) -> str:
    """Appends the name of a head to the name of a metric."""
    return f"{key}/{head_name}" if head_name else key


def make_train_op(
    loss: tf.Tensor, optimizer: Any, train_op_fn: Callable[[tf.Tensor], Any] | None
) -> Any:
    """Creates the train op.

    Args:
      loss: A scalar tensor.
      optimizer: A v1 optimizer, or None.
      train_op_fn: Function that creates the train op from the loss, or None.

    Returns:
      A tensor or operation.

    Raises:
      ValueError: If both or neither of `optimizer` and `train_op_fn` are None.
    """
    if optimizer is not None and train_op_fn is not None:
        raise ValueError("train_op_fn and optimizer cannot both be set.")
    if optimizer is not None:
        return optimizer.minimize(loss, global_step=tf1.train.get_global_step())
    if train_op_fn is not None:
        return train_op_fn(loss)
    raise ValueError(
        "train_op_fn and optimizer cannot both be None: in mode TRAIN the head needs one."
    )


def assert_range(labels: tf.Tensor, n_classes: int, message: str | None = None) -> tf.Tensor:
    """Adds an assertion to the graph that labels are in [0, n_classes - 1].

    Args:
      labels: A numeric tensor of any shape.
      n_classes: Number of classes.
      message: Message of the error. By default it names the violated bound.

    Returns:
      The labels.

    Raises:
      InvalidArgumentError: If a label is out of range, when the graph runs.
    """
    with tf1.name_scope(None, "assert_range", (labels,)):
        labels = tf.convert_to_tensor(labels)
        highest = tf.convert_to_tensor(n_classes - 1, dtype=labels.dtype)
        checks = (
            tf1.debugging.assert_less_equal(
                labels, highest, message=message or "Labels must <= n_classes - 1"
            ),
            tf1.debugging.assert_non_negative(labels, message=message or "Labels must >= 0"),
        )
        with tf.control_dependencies(checks):
            return tf.identity(labels)
