"""Recurrent networks for sequence feature columns: RNNEstimator and RNNClassifier.

    import tensorflow as tf
    from legacy import estimator

    tokens = tf.feature_column.sequence_categorical_column_with_hash_bucket("tokens", 1000)
    classifier = estimator.experimental.RNNClassifier(
        [tf.feature_column.embedding_column(tokens, 8)], units=[32, 16], cell_type="lstm"
    )
    classifier.train(input_fn, steps=1000)

A sequence is a sparse tensor of shape [batch, steps, ...]. The names of the variables are
rnn_model/rnn/..., rnn_model/logits/... and those of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator import heads
from legacy.estimator.canned import argument_texts, optimizers
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import Estimator
from legacy.estimator.heads.v2.sequential import SequentialHead, SequentialHeadWrapper
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_TEXTS = (
    argument_texts.SHARED
    | argument_texts.V2
    | {
        "head": "A `Head`. If `return_sequences` is true, it must be a `SequentialHead`.",
        "sequence_feature_columns": "Feature columns of sequences.",
        "context_feature_columns": "Dense feature columns. Each step gets their values.",
        "units": "Sizes of the cells, starting at the input. Or an int, the size of a single "
        "layer, if `cell_type` is a name.",
        "cell_type": '"simple_rnn" (the default), "lstm", "gru", or a class of cells with an '
        "argument `units`.",
        "rnn_cell_fn": "Function that creates a cell or a list of cells, instead of `units` and "
        "`cell_type`.",
        "return_sequences": "If true, each step has logits. If false, only the last step.",
        "learning_rate": "a learning rate of 0.05 and gradients clipped to a norm of 5",
        "sequence_mask": "Name of the mask of steps among features and predictions.",
    }
)

# Marks a `cell_type` that the user did not pass.
USE_DEFAULT = object()

# Learning rate and gradient norm of an optimizer that is specified by name.
_LEARNING_RATE = 0.05
_CLIP_NORM = 5.0
_SIMPLE_RNN = "simple_rnn"
_MEAN = tf_keras.losses.Reduction.SUM_OVER_BATCH_SIZE

_CELL_TYPE_TO_LAYER_MAPPING = {
    "gru": tf_keras.layers.GRU,
    "lstm": tf_keras.layers.LSTM,
    _SIMPLE_RNN: tf_keras.layers.SimpleRNN,
}
_CELL_TYPES = {
    "gru": tf_keras.layers.GRUCell,
    "lstm": tf_keras.layers.LSTMCell,
    _SIMPLE_RNN: tf_keras.layers.SimpleRNNCell,
}


class RNNModel(tf_keras.Model):
    """Computes logits from a dict of features: [batch, units], or [batch, steps, units].

    Args:
      rnn_layer: A Keras layer from [batch, steps, inputs] to the size of its state.
      units: Number of logits.
      sequence_feature_columns: Feature columns of sequences.
      context_feature_columns: Dense feature columns. Each step gets their values.
      activation: Activation of the logits. None means the identity.
      return_sequences: If true, the layer returns every step. The logits then have an attribute
        `_keras_mask` that marks the real steps.
      **kwargs: Arguments of `tf.keras.Model`.

    Raises:
      ValueError: If `units` is not an int, or if features are not a dict.
    """

    def __init__(
        self,
        rnn_layer: Any,
        units: int,
        sequence_feature_columns: Sequence[Any],
        context_feature_columns: Sequence[Any] | None = None,
        activation: Any = None,
        return_sequences: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(units, int):
            raise ValueError(f"units must be an int.  Given type: {type(units)}")
        self._return_sequences = return_sequences
        self._sequence_feature_columns = sequence_feature_columns
        self._context_feature_columns = context_feature_columns
        self._sequence_features_layer = tf.keras.experimental.SequenceFeatures(
            sequence_feature_columns
        )
        self._dense_features_layer = None
        if context_feature_columns:
            self._dense_features_layer = tf1.keras.layers.DenseFeatures(context_feature_columns)
        self._rnn_layer = rnn_layer
        self._logits_layer = tf.keras.layers.Dense(
            units=units, activation=activation, name="logits"
        )

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> tf.Tensor:
        """Returns the logits.

        Args:
          inputs: Dict by name of sparse tensors, [batch, steps, ...], and of context tensors.
          training: If true, the layer applies dropout.

        Returns:
          A float32 tensor.

        Raises:
          ValueError: If the inputs are not a dict.
        """
        if not isinstance(inputs, dict):
            raise ValueError(
                f"inputs should be a dictionary of `Tensor`s. Given type: {type(inputs)}"
            )
        with tf.name_scope("sequence_input_layer"):
            sequence, length = self._sequence_features_layer(inputs, training=training)
            tf1.summary.histogram("sequence_length", length)
            if self._dense_features_layer:
                context = self._dense_features_layer(inputs, training=training)
                sequence = with_context(sequence, context)
        mask = tf.sequence_mask(length)
        # The loop of Keras requires that the batch sizes of both are known, or of neither.
        mask.set_shape([sequence.shape[0], None])
        logits = self._logits_layer(self._rnn_layer(sequence, mask=mask, training=training))
        if self._return_sequences:
            logits._keras_mask = mask
        return logits

    def get_config(self) -> dict[str, Any]:
        """Returns the configuration for `from_config`."""
        layer, context = self._rnn_layer, self._context_feature_columns
        return {
            "name": self.name,
            "rnn_layer": {"class_name": type(layer).__name__, "config": layer.get_config()},
            "units": self._logits_layer.units,
            "return_sequences": self._return_sequences,
            "activation": tf.keras.activations.serialize(self._logits_layer.activation),
            "sequence_feature_columns": columns_lib.serialized(self._sequence_feature_columns),
            "context_feature_columns": columns_lib.serialized(context) if context else None,
        }

    @classmethod
    def from_config(
        cls, config: Mapping[str, Any], custom_objects: Mapping[str, Any] | None = None
    ) -> RNNModel:
        """Creates a model from its configuration.

        Args:
          config: Configuration from `get_config`.
          custom_objects: Objects by name that the configuration refers to and Keras does not know.
        """
        config = dict(config)
        for key in ("sequence_feature_columns", "context_feature_columns"):
            if config.get(key):
                config[key] = columns_lib.deserialized(config[key], custom_objects)
        config["rnn_layer"] = tf.keras.layers.deserialize(config["rnn_layer"], custom_objects)
        config["activation"] = tf.keras.activations.deserialize(
            config["activation"], custom_objects
        )
        return cls(**config)


def with_context(sequence: tf.Tensor, context: tf.Tensor) -> tf.Tensor:
    """Appends the context to each step of a sequence.

    Args:
      sequence: A tensor of shape [batch, steps, inputs].
      context: A tensor of shape [batch, values].

    Returns:
      A tensor of shape [batch, steps, inputs + values].
    """
    tf1.debugging.assert_rank(sequence, 3, message="sequence_input must have rank 3")
    tf1.debugging.assert_rank(context, 2, message="context_input must have rank 2")
    context_per_step = tf.tile(tf.expand_dims(context, 1), [1, tf.shape(sequence)[1], 1])
    return tf.concat([sequence, context_per_step], 2)


def _check_cell_arguments(rnn_cell_fn: Any, units: Any, cell_type: Any) -> None:
    if rnn_cell_fn and (units or cell_type != USE_DEFAULT):
        raise ValueError("units and cell_type must not be specified when using rnn_cell_fn")


def _make_rnn_layer(
    rnn_cell_fn: Callable[[], Any] | None, units: Any, cell_type: Any, return_sequences: bool
) -> Any:
    """Creates the Keras layer from the arguments of an estimator."""
    _check_cell_arguments(rnn_cell_fn, units, cell_type)
    if isinstance(units, int) and cell_type in _CELL_TYPE_TO_LAYER_MAPPING:
        return _CELL_TYPE_TO_LAYER_MAPPING[cell_type](
            units=units, return_sequences=return_sequences
        )
    if rnn_cell_fn:
        cell = rnn_cell_fn()
    else:
        cell_type = _SIMPLE_RNN if cell_type == USE_DEFAULT else cell_type
        cells = [_make_cell(size, cell_type) for size in units]
        cell = cells[0] if len(cells) == 1 else cells
    return tf.keras.layers.RNN(cell=cell, return_sequences=return_sequences)


def _make_cell(units: int, cell_type: Any) -> Any:
    make = _CELL_TYPES.get(cell_type, cell_type)
    if not callable(make):
        raise ValueError(
            "`cell_type` should be a class producing a RNN cell, or a string specifying the cell "
            f"type. Supported strings are: {sorted(_CELL_TYPES)}. Given: {cell_type!r}"
        )
    cell = make(units=units)
    if not hasattr(cell, "call") or not hasattr(cell, "state_size"):
        raise ValueError(
            f"RNN cell should have a `call` and `state_size` method. Given: {type(cell)}"
        )
    return cell


@documented(_TEXTS)
class RNNEstimator(Estimator):
    """A recurrent network with a custom head.

    {args}

    Raises:
      ValueError: If arguments contradict each other.
    """

    def __init__(
        self,
        head: Any,
        sequence_feature_columns: Sequence[Any],
        context_feature_columns: Sequence[Any] | None = None,
        units: Iterable[int] | int | None = None,
        cell_type: Any = USE_DEFAULT,
        rnn_cell_fn: Callable[[], Any] | None = None,
        return_sequences: bool = False,
        model_dir: str | None = None,
        optimizer: Any = "Adagrad",
        config: RunConfig | None = None,
    ) -> None:
        if return_sequences and not isinstance(head, SequentialHead):
            raise ValueError(
                "Provided head must be a `_SequentialHead` object when `return_sequences` is set "
                f"to True. Given: {head}"
            )
        _check_cell_arguments(rnn_cell_fn, units, cell_type)
        optimizer = optimizers.prepared(optimizer)

        def model_fn(features: Any, labels: Any, mode: str, config: RunConfig) -> EstimatorSpec:
            del config
            # Check the optimizer before the model is built.
            training_optimizer = _optimizer(optimizer) if mode == ModeKeys.TRAIN else None
            model = RNNModel(
                rnn_layer=_make_rnn_layer(rnn_cell_fn, units, cell_type, return_sequences),
                units=head.logits_dimension,
                sequence_feature_columns=sequence_feature_columns,
                context_feature_columns=context_feature_columns,
                return_sequences=return_sequences,
                name="rnn_model",
            )
            return _spec(model, head, features, labels, mode, training_optimizer, return_sequences)

        super().__init__(model_fn, model_dir, config)


def _spec(
    model: RNNModel,
    head: Any,
    features: dict[str, Any],
    labels: Any,
    mode: str,
    optimizer: Any,
    return_sequences: bool,
) -> EstimatorSpec:
    logits = model(features, training=mode == ModeKeys.TRAIN)
    if return_sequences and head.input_sequence_mask_key not in features:
        features[head.input_sequence_mask_key] = logits._keras_mask
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        optimizer=optimizer,
        logits=logits,
        update_ops=model.updates,
        trainable_variables=model.trainable_variables,
    )


def _optimizer(optimizer: Any) -> Any:
    training_optimizer = optimizers.training_optimizer(optimizer, _LEARNING_RATE)
    if isinstance(optimizer, str):
        training_optimizer.clipnorm = _CLIP_NORM
    return training_optimizer


@documented(
    _TEXTS,
    return_sequences="If true, each step is classified, and labels are [batch, steps].",
    weight_column=(
        "Feature with the weights of examples, as a name or a numeric column. With "
        "`return_sequences`, the name of a feature with the weights of steps."
    ),
)
class RNNClassifier(RNNEstimator):
    """A recurrent network that classifies sequences or each of their steps.

    {args}

    Raises:
      TypeError: If `weight_column` is a column, and `return_sequences` is true.
      ValueError: If an argument is invalid, or if arguments contradict each other.
    """

    def __init__(
        self,
        sequence_feature_columns: Sequence[Any],
        context_feature_columns: Sequence[Any] | None = None,
        units: Iterable[int] | int | None = None,
        cell_type: Any = USE_DEFAULT,
        rnn_cell_fn: Callable[[], Any] | None = None,
        return_sequences: bool = False,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Adagrad",
        loss_reduction: str = _MEAN,
        sequence_mask: str = "sequence_mask",
        config: RunConfig | None = None,
    ) -> None:
        head = heads.binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        if return_sequences:
            tf1.logging.info("The head looks at each step of the sequences.")
            if weight_column and not isinstance(weight_column, str):
                raise TypeError(
                    "weight_column must be the name of a feature when return_sequences is set to "
                    f"True. Given: {weight_column}"
                )
            head = SequentialHeadWrapper(head, sequence_mask, weight_column)
        super().__init__(
            head,
            sequence_feature_columns,
            context_feature_columns,
            units,
            cell_type,
            rnn_cell_fn,
            return_sequences,
            model_dir,
            optimizer,
            config,
        )
