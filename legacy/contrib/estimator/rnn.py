"""Recurrent networks on sequence feature columns, as tf.contrib.estimator had them.

    tokens = contrib.feature_column.sequence_categorical_column_with_hash_bucket("tokens", 1000)
    classifier = contrib.estimator.RNNClassifier(
        [tf.feature_column.embedding_column(tokens, 8)], num_units=[32, 16], cell_type="lstm"
    )
    classifier.train(input_fn, steps=1000)

Their successors in `tf.estimator.experimental` have Keras cells, other arguments and other
variables. The variables here are rnn/rnn/... and rnn/logits/dense/.... Those of the columns are in
rnn/sequence_input_layer/....
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib import feature_column
from legacy.estimator.canned import feature_columns as columns_lib
from legacy.estimator.canned import optimizers
from legacy.estimator.canned.rnn import with_context
from legacy.estimator.canned.v1 import partitioners
from legacy.estimator.estimator import Estimator
from legacy.estimator.extenders import clip_gradients_by_norm
from legacy.estimator.heads import v1 as heads
from legacy.estimator.heads.v2.sequential import SequentialHead
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

USE_DEFAULT = object()

_LEARNING_RATE = 0.05
_CLIP_NORM = 5.0
_CELLS = tf1.nn.rnn_cell
_CELL_TYPES = {
    "basic_rnn": _CELLS.BasicRNNCell,
    "lstm": _CELLS.BasicLSTMCell,
    "gru": _CELLS.GRUCell,
}


class RNNEstimator(Estimator):
    """A recurrent network with a custom head.

    Args:
      head: A head of `tf.contrib.estimator`, or a `Head`. If `return_sequences` is true, a
        sequential head.
      sequence_feature_columns: Dense feature columns of sequences.
      context_feature_columns: Dense feature columns. Their values are appended to each step.
      num_units: Sizes of the cells, from the input to the output.
      cell_type: "basic_rnn" (the default), "lstm", "gru", or a `tf.nn.rnn_cell.RNNCell` class.
      rnn_cell_fn: Function from a mode to a cell. Replaces `num_units` and `cell_type`.
      return_sequences: If true, computes logits for each step instead of the last step only.
      model_dir: Folder of the checkpoints and event files.
      optimizer: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD" with a learning rate of 0.05, or a
        callable that returns an optimizer. For both, gradients are clipped to a norm of 5. Or a
        `tf.compat.v1.train.Optimizer`, which is used unchanged.
      input_layer_partitioner: Partitioner of the feature columns' variables. None splits variables
        above 64 MiB among the parameter servers.
      config: A `RunConfig`.

    Raises:
      ValueError: The arguments contradict each other.
    """

    def __init__(
        self,
        head: Any,
        sequence_feature_columns: Iterable[Any],
        context_feature_columns: Iterable[Any] | None = None,
        num_units: Iterable[int] | None = None,
        cell_type: Any = USE_DEFAULT,
        rnn_cell_fn: Callable[[str], Any] | None = None,
        return_sequences: bool = False,
        model_dir: str | None = None,
        optimizer: Any = "Adagrad",
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
    ) -> None:
        cell_fn = _checked_cell_fn(rnn_cell_fn, num_units, cell_type)
        if return_sequences and not isinstance(head, SequentialHead):
            raise ValueError(
                "Provided head must be a `_SequentialHead` object when `return_sequences` is set "
                f"to True. Given: {head}"
            )
        sequence_columns = tuple(sequence_feature_columns or ())
        context_columns = tuple(context_feature_columns or ())

        def model_fn(features: Any, labels: Any, mode: str, config: RunConfig) -> EstimatorSpec:
            return _rnn_model_fn(
                features,
                labels,
                mode,
                head,
                cell_fn,
                sequence_columns,
                context_columns,
                return_sequences,
                optimizer,
                input_layer_partitioner,
                config,
            )

        super().__init__(model_fn, model_dir, config)


class RNNClassifier(RNNEstimator):
    """A recurrent network that classifies sequences.

    Args:
      sequence_feature_columns: As in `RNNEstimator`.
      context_feature_columns: As in `RNNEstimator`.
      num_units: As in `RNNEstimator`.
      cell_type: As in `RNNEstimator`.
      rnn_cell_fn: As in `RNNEstimator`.
      model_dir: Folder of the checkpoints and event files.
      n_classes: Number of classes. Labels are ints from 0 to `n_classes` - 1.
      weight_column: Name or numeric column of the feature with the example weights.
      label_vocabulary: Names of the classes in order, if labels are strings.
      optimizer: As in `RNNEstimator`.
      loss_reduction: A `tf.losses.Reduction` other than NONE, by which the losses of examples
        become the training loss.
      input_layer_partitioner: As in `RNNEstimator`.
      config: A `RunConfig`.

    Raises:
      ValueError: An argument is not valid, or the arguments contradict each other.
    """

    def __init__(
        self,
        sequence_feature_columns: Iterable[Any],
        context_feature_columns: Iterable[Any] | None = None,
        num_units: Iterable[int] | None = None,
        cell_type: Any = USE_DEFAULT,
        rnn_cell_fn: Callable[[str], Any] | None = None,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: list[str] | None = None,
        optimizer: Any = "Adagrad",
        loss_reduction: str = tf1.losses.Reduction.SUM_OVER_BATCH_SIZE,
        input_layer_partitioner: Any = None,
        config: RunConfig | None = None,
    ) -> None:
        head = heads.binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        super().__init__(
            head,
            sequence_feature_columns,
            context_feature_columns,
            num_units,
            cell_type,
            rnn_cell_fn,
            model_dir=model_dir,
            optimizer=optimizer,
            input_layer_partitioner=input_layer_partitioner,
            config=config,
        )


def _checked_cell_fn(
    rnn_cell_fn: Callable[[str], Any] | None, num_units: Any, cell_type: Any
) -> Callable[[str], Any]:
    if not rnn_cell_fn:
        return _make_rnn_cell_fn(num_units, "basic_rnn" if cell_type is USE_DEFAULT else cell_type)
    if num_units or cell_type is not USE_DEFAULT:
        raise ValueError("num_units and cell_type must not be specified when using rnn_cell_fn")
    return rnn_cell_fn


# Programs for TensorFlow 1 call the following private functions. Their names and arguments are
# therefore kept.


def _make_rnn_cell_fn(num_units: Iterable[int], cell_type: Any = "basic_rnn") -> Any:
    """Returns a function from a mode to a cell."""

    def rnn_cell_fn(mode: str) -> Any:
        del mode
        kind = _CELL_TYPES.get(cell_type, cell_type)
        if not isinstance(kind, type) or not issubclass(kind, _CELLS.RNNCell):
            # The original passed any value to issubclass, which raises TypeError for non-classes.
            error = TypeError if kind and not isinstance(kind, type) else ValueError
            raise error(
                f"Supported cell types are {list(_CELL_TYPES)} and classes of "
                f"tf.nn.rnn_cell.RNNCell; got {cell_type!r}"
            )
        cells = [kind(num_units=size) for size in num_units]
        return cells[0] if len(cells) == 1 else _CELLS.MultiRNNCell(cells)

    return rnn_cell_fn


def _rnn_logit_fn_builder(
    output_units: int,
    rnn_cell_fn: Callable[[str], Any],
    sequence_feature_columns: Iterable[Any],
    context_feature_columns: Iterable[Any],
    input_layer_partitioner: Any,
    return_sequences: bool = False,
) -> Callable[[dict[str, Any], str], tuple[tf.Tensor, tf.Tensor]]:
    """Returns a function from features and a mode to logits and a mask.

    The logits are of shape [batch, output_units], or [batch, steps, output_units] for sequences.
    The mask, [batch, steps], is true at steps before the end of a sequence.
    """
    if not isinstance(output_units, int):
        raise ValueError(f"output_units must be an int.  Given type: {type(output_units)}")

    def rnn_logit_fn(features: dict[str, Any], mode: str) -> tuple[tf.Tensor, tf.Tensor]:
        with tf1.variable_scope(
            "sequence_input_layer",
            values=tuple(features.values()),
            partitioner=input_layer_partitioner,
        ):
            inputs, lengths = feature_column.sequence_input_layer(
                features, sequence_feature_columns
            )
            tf1.summary.histogram("sequence_length", lengths)
            if context_feature_columns:
                context = tf1.feature_column.input_layer(features, context_feature_columns)
                inputs = with_context(inputs, context)
        outputs, _ = tf1.nn.dynamic_rnn(rnn_cell_fn(mode), inputs, lengths, dtype=tf.float32)
        if not return_sequences:
            # The output of the last step of each sequence.
            outputs = tf.gather(outputs, lengths - 1, axis=1, batch_dims=1)
        with tf1.variable_scope("logits", values=(outputs,)):
            initializer = tf1.glorot_uniform_initializer()
            layer = tf1.layers.Dense(output_units, kernel_initializer=initializer)
            return layer(outputs), tf.sequence_mask(lengths)

    return rnn_logit_fn


def _rnn_model_fn(
    features: dict[str, Any],
    labels: Any,
    mode: str,
    head: Any,
    rnn_cell_fn: Callable[[str], Any],
    sequence_feature_columns: Iterable[Any],
    context_feature_columns: Iterable[Any],
    return_sequences: bool = False,
    optimizer: Any = "Adagrad",
    input_layer_partitioner: Any = None,
    config: RunConfig | None = None,
) -> EstimatorSpec:
    """Builds the model of the classes above, with the same arguments, and returns its spec."""
    columns_lib.check_features(features)
    optimizer = _optimizer(optimizer)
    with tf1.variable_scope(
        "rnn", values=tuple(features.values()), partitioner=partitioners.of_hidden_layers(config)
    ):
        logit_fn = _rnn_logit_fn_builder(
            head.logits_dimension,
            rnn_cell_fn,
            sequence_feature_columns,
            context_feature_columns,
            input_layer_partitioner or partitioners.of_input_layer(config),
            return_sequences,
        )
        logits, mask = logit_fn(features, mode)
        if return_sequences and head.input_sequence_mask_key not in features:
            features[head.input_sequence_mask_key] = mask
        return head.create_estimator_spec(
            features=features,
            mode=mode,
            labels=labels,
            train_op_fn=lambda loss: optimizer.minimize(
                loss, global_step=tf1.train.get_global_step()
            ),
            logits=logits,
        )


def _optimizer(optimizer: Any) -> Any:
    instance = optimizers.get_optimizer_instance(optimizer, _LEARNING_RATE)
    return instance if instance is optimizer else clip_gradients_by_norm(instance, _CLIP_NORM)
