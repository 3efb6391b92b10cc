"""SequentialHeadWrapper: a head over each step of a sequence, padding left out.

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
    """A head over each step of a sequence, for a recurrent network that returns all steps."""

    @property
    @abc.abstractmethod
    def input_sequence_mask_key(self) -> str:
        """The name of the feature that says which steps there are: bool, [batch, steps]."""


class SequentialHeadWrapper(SequentialHead):
    """Flattens the steps of all sequences to one batch, for a head that knows no sequences.

    Args:
      static_head: That head; no MultiHead.
      sequence_length_mask: The name of the feature that says which steps there are: bool,
        [batch, steps].
      feature_columns: The name, or names, of further features of each step, such as weights.

    Raises:
      TypeError: A name is not a string.
      ValueError: The head is a MultiHead.
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
        """The name of the feature that says which steps there are."""
        return self._sequence_length_mask

    @property
    def static_head(self) -> Head:
        """The head of a single step."""
        return self._static_head

    @property
    def name(self) -> str | None:
        """The head's name with "_sequential" behind it, or None."""
        name = self._static_head.name
        return f"{name}_sequential" if name else None

    @property
    def logits_dimension(self) -> int:
        """That of the head."""
        return self._static_head.logits_dimension

    @property
    def loss_reduction(self) -> str:
        """That of the head."""
        return self._static_head.loss_reduction

    def loss(
        self,
        logits: Any,
        labels: Any,
        features: Any = None,
        mode: str | None = None,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> tf.Tensor:
        """Returns the loss over the steps that there are.

        Args:
          logits: [batch, steps, D2, ..., DN, logits_dimension].
          labels: In the same shape but for the last dimension; dense or sparse.
          features: By name, the mask among them.
          mode: One of `ModeKeys`.
          regularization_losses: Scalars that are added.

        Returns:
          A scalar tensor.

        Raises:
          ValueError: A feature is missing, or the shapes do not fit.
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
        """Returns the head's predictions; padding is not left out of them."""
        return self._static_head.predictions(logits, keys=keys)

    def metrics(
        self, regularization_losses: Sequence[tf.Tensor] | None = None
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Returns the head's metrics; see the base class."""
        return self._static_head.metrics(regularization_losses)

    def update_metrics(
        self,
        eval_metrics: dict[str, tf_keras.metrics.Metric],
        features: Any,
        logits: Any,
        labels: Any,
        regularization_losses: Sequence[tf.Tensor] | None = None,
    ) -> dict[str, tf_keras.metrics.Metric]:
        """Updates metrics by the steps that there are; see the base class."""
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
        """Returns what a model function returns; the mask is among the predictions of PREDICT."""
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
    """Returns the steps that there are, [steps, D2, ..., DN] or [steps, 1], of all sequences."""
    rank = tensor.shape.rank
    if rank < 2:
        raise ValueError(
            f"Input tensor expected to have at least 2 dimensions, got {rank} instead."
        )
    inner = tensor.shape[2:] if rank > 2 else [1]
    if isinstance(tensor, tf.SparseTensor):
        # A sparse tensor has values for the steps that there are, and no others.
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
