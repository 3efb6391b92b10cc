"""SequentialHeadWrapper, which applies a head to each step of a sequence, without the padding.

>>> import tensorflow as tf
>>> from legacy.estimator import heads
>>> head = SequentialHeadWrapper(heads.RegressionHead(), sequence_length_mask="mask")
>>> logits, labels = tf.constant([[[1.0], [5.0]]]), tf.constant([[[3.0], [9.0]]])
>>> features = {"mask": tf.constant([[True, False]])}
>>> float(head.loss(logits, labels, features))
4.0
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.heads.v2.base_head import Head
from legacy.estimator.heads.v2.multi import MultiHead
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1


class SequentialHead(Head):
    """Interface of heads for each step of a sequence, for recurrent networks that return all steps.

    For example, `RNNEstimator` passes them the logits of all steps.
    """

    @property
    @abc.abstractmethod
    def input_sequence_mask_key(self) -> str:
        """Name of the feature that masks the padding: bool, [batch, steps]. True marks a step."""


class SequentialHeadWrapper(SequentialHead):
    """Flattens the steps of all sequences to one batch, for a head that does not know sequences.

    Args:
      static_head: Head that is applied to the flattened batch. It must not be a MultiHead.
      sequence_length_mask: Name of the feature that masks the padding: bool, [batch, steps]. True
        marks a step.
      feature_columns: Name or names of other features of each step, such as weights.

    Raises:
      TypeError: If a name is not a string.
      ValueError: If the head is a MultiHead.
    """

    def __init__(
        self,
        static_head: Head,
        sequence_length_mask: str = "sequence_length_mask",
        feature_columns: str | Iterable[str] | None = None,
    ) -> None:
        if not isinstance(sequence_length_mask, str):
            raise TypeError(
                "`sequence_mask` column must be a string. Given type: "
                f"{type(sequence_length_mask)}."
            )
        if isinstance(static_head, MultiHead):
            raise ValueError("`MultiHead` is not supported with `SequentialHeadWrapper`.")
        self._sequence_length_mask = sequence_length_mask
        self._feature_columns = _names(feature_columns)
        self._static_head = static_head

    @property
    def input_sequence_mask_key(self) -> str:
        """Name of the feature that masks the padding."""
        return self._sequence_length_mask

    @property
    def static_head(self) -> Head:
        """Head of a single step."""
        return self._static_head

    @property
    def name(self) -> str | None:
        """Name of the static head with the suffix "_sequential", or None."""
        name = self._static_head.name
        return f"{name}_sequential" if name else None

    @property
    def logits_dimension(self) -> int:
        """Logits dimension of the static head."""
        return self._static_head.logits_dimension

    @property
    def loss_reduction(self) -> str:
        """Loss reduction of the static head."""
        return self._static_head.loss_reduction

    def loss(
        self,
        logits: Any,
        labels: Any,
        features: Any = None,
        mode: str | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> tf.Tensor:
        """Returns the loss over all steps except padding.

        Args:
          logits: A tensor, [batch, steps, D2, ..., DN, logits_dimension].
          labels: A dense or sparse tensor of the same shape, except for the last dimension.
          features: Dict of features by name, including the mask.
          mode: One of `ModeKeys`.
          regularization_losses: Scalar tensors that are added to the loss.

        Returns:
          A scalar tensor.

        Raises:
          ValueError: If a feature is missing, or if the shapes do not fit.
        """
        labels, logits, features = self._flatten(labels, logits, features)
        return self._static_head.loss(
            logits=logits,
            labels=labels,
            features=features,
            mode=mode,
            regularization_losses=regularization_losses,
        )

    def predictions(self, logits: Any, keys: Sequence[str] | None = None) -> dict[str, tf.Tensor]:
        """Returns the predictions of the static head for all steps, including padding."""
        return self._static_head.predictions(logits, keys=keys)

    def metrics(
        self, regularization_losses: Sequence[tf.Tensor] | None = None
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Creates the metrics of the static head. See the base class."""
        return self._static_head.metrics(regularization_losses)

    def update_metrics(
        self,
        eval_metrics: dict[str, tf_keras.metrics.Metric],
        features: Any,
        logits: Any,
        labels: Any,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Updates metrics with all steps except padding. See the base class."""
        labels, logits, features = self._flatten(labels, logits, features)
        return self._static_head.update_metrics(
            eval_metrics=eval_metrics,
            features=features,
            logits=logits,
            labels=labels,
            regularization_losses=regularization_losses,
        )

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        trainable_variables: Sequence[Any] | None = None,
        train_op_fn: Callable[[tf.Tensor], Any] | None = None,
        update_ops: Sequence[Any] | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec for the mode. In PREDICT, the predictions include the mask."""
        if mode == ModeKeys.PREDICT:
            spec = self._static_head.create_estimator_spec(
                features=features, mode=mode, logits=logits
            )
            mask = {self._sequence_length_mask: features[self._sequence_length_mask]}
            return spec._replace(predictions={**spec.predictions, **mask})
        labels, logits, features = self._flatten(labels, logits, features)
        return self._static_head.create_estimator_spec(
            features=features,
            mode=mode,
            logits=logits,
            labels=labels,
            optimizer=optimizer,
            trainable_variables=trainable_variables,
            train_op_fn=train_op_fn,
            update_ops=update_ops,
            regularization_losses=regularization_losses,
        )

    def _flatten(
        self, labels: Any, logits: Any, features: Any
    ) -> tuple[tf.Tensor, tf.Tensor, dict[str, tf.Tensor]]:
        key = self._sequence_length_mask
        if key not in features:
            raise ValueError(
                f"The provided sequence_length_mask key `{key}` should be included in the features "
                f"dictionary, but was not found. Found keys: {list(features)}."
            )
        mask = features[key]
        if mask.shape.rank != 2:
            raise ValueError(
                f"Mask is expected to have two dimensions, got {mask.shape.rank} instead."
            )
        for name in self._feature_columns:
            if name not in features:
                raise ValueError(f"`{name}` column expected in features dictionary.")
        with tf1.name_scope("flatten"):
            # Number of real steps, which each flattened tensor must have.
            steps = tf.reduce_sum(tf.cast(mask, tf.int32))
            flat_logits = _flatten_tensor(logits, mask, steps)
            flat_labels = _flatten_tensor(labels, mask, steps)
            flat_features = {
                name: _flatten_tensor(features[name], mask, steps) for name in self._feature_columns
            }
        return flat_labels, flat_logits, flat_features


def _names(feature_columns: Any) -> list[str]:
    if isinstance(feature_columns, str):
        return [feature_columns]
    feature_columns = feature_columns or []
    if not isinstance(feature_columns, Iterable):
        raise TypeError(
            "`feature_columns` must be either a string or an iterable of strings got "
            f"{type(feature_columns)} instead."
        )
    names = list(feature_columns)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"Column must a string. Given type: {type(name)}.")
    return names


def _flatten_tensor(tensor: Any, sequence_mask: Any, expected_length: Any) -> tf.Tensor:
    """Returns the steps of all sequences without padding: [steps, D2, ..., DN] or [steps, 1]."""
    rank = tensor.shape.rank
    if rank < 2:
        raise ValueError(
            f"Input tensor expected to have at least 2 dimensions, got {rank} instead."
        )
    inner = tensor.shape[2:] if rank > 2 else [1]
    if isinstance(tensor, tf.SparseTensor):
        # A sparse tensor has values for real steps only, so that no mask is needed.
        flat = tf.reshape(tf.sparse.reorder(tensor).values, [-1, *inner])
    elif isinstance(tensor, tf.Tensor):
        flat = tf.boolean_mask(tensor, sequence_mask)
        flat = flat if rank > 2 else tf.expand_dims(flat, -1)
    else:
        raise ValueError(
            f"`tensor` expected to be a `Tensor` or  `SparseTensor` got `{tensor}` instead."
        )
    message = "Tensor shape is incompatible with provided mask."
    if tf.executing_eagerly():
        if flat.shape[0] != int(expected_length):
            raise ValueError(message)
        return flat
    length = tf.cast(expected_length, tf.int32)
    check = tf1.debugging.assert_equal(tf.shape(flat)[0], length, message=message)
    with tf.control_dependencies([check]):
        return tf.identity(flat)
