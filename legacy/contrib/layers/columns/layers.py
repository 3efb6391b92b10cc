"""Layers of contrib.layers that use feature columns.

net = input_from_feature_columns(features, columns)
logits, weights, bias = weighted_sum_from_feature_columns(features, columns, num_outputs=1)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.framework import assignment, variables
from legacy.contrib.layers import shaping
from legacy.contrib.layers.columns import embedding_ops
from legacy.contrib.layers.columns.base import FeatureColumn, WideLookup, of_rank
from legacy.contrib.layers.columns.embedding_columns import _EmbeddingColumn, _OneHotColumn
from legacy.contrib.layers.columns.parsing import check_feature_columns, in_order
from legacy.contrib.layers.columns.real_valued_columns import (
    _BucketizedColumn,
    _CrossedColumn,
    _RealValuedColumn,
)
from legacy.contrib.layers.columns.sparse_columns import _WeightedSparseColumn

tf1 = tf.compat.v1


def _collections(weight_collections: Any) -> Any:
    if not weight_collections:
        return weight_collections
    return list({*weight_collections, tf1.GraphKeys.GLOBAL_VARIABLES})


def _scope(column: FeatureColumn, features: dict[Any, Any]) -> Any:
    return tf1.variable_scope(None, column.name, _tensors(features))


def _tensors(features: dict[Any, Any]) -> list[Any]:
    return list(features.values())


def input_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[FeatureColumn],
    weight_collections: Sequence[str] | None = None,
    trainable: bool = True,
    scope: Any = None,
    cols_to_outs: dict[Any, Any] | None = None,
) -> tf.Tensor:
    """Builds the input layer of a deep model.

    Args:
      columns_to_tensors: Features by name.
      feature_columns: Feature columns.
      weight_collections: Collections to add the variables to.
      trainable: If true, the variables are trainable.
      scope: Variable scope. The default is "input_from_feature_columns".
      cols_to_outs: Dict to which the output of each column is added, by column.

    Returns:
      The concatenated outputs of all columns, sorted by key, of shape [batch, size].

    Raises:
      ValueError: A column occurs twice, or deep models do not support a column.
    """
    return _input_layer(
        columns_to_tensors,
        feature_columns,
        weight_collections,
        trainable,
        (scope, "input_from_feature_columns"),
        2,
        cols_to_outs,
    )


def sequence_input_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[FeatureColumn],
    weight_collections: Sequence[str] | None = None,
    trainable: bool = True,
    scope: Any = None,
) -> tf.Tensor:
    """Builds the input layer of a recurrent model.

    See `input_from_feature_columns` for the arguments.

    Returns:
      The concatenated outputs of all columns, sorted by key, of shape [batch, length, size].

    Raises:
      ValueError: A column occurs twice, or sequences do not support a column.
    """
    feature_columns = list(feature_columns)
    for column in feature_columns:
        if not isinstance(column, (_OneHotColumn, _EmbeddingColumn, _RealValuedColumn)):
            raise ValueError(
                f"FeatureColumn type {type(column).__name__} is not currently supported for "
                "sequence data."
            )
    for column in _with_parents(feature_columns):
        if isinstance(column, (_BucketizedColumn, _CrossedColumn)):
            raise ValueError(
                f"Column {column.name} is of type {type(column).__name__}, which is not currently "
                "supported for sequences."
            )
    return _input_layer(
        columns_to_tensors,
        feature_columns,
        weight_collections,
        trainable,
        (scope, "sequence_input_from_feature_columns"),
        3,
    )


def _with_parents(columns: Iterable[Any]) -> list[Any]:
    with_parents = []
    for column in columns:
        parents = []
        if isinstance(column, (_WeightedSparseColumn, _OneHotColumn, _EmbeddingColumn)):
            parents = [column.sparse_id_column]
        elif isinstance(column, _BucketizedColumn):
            parents = [column.source_column]
        elif isinstance(column, _CrossedColumn):
            parents = list(column.columns)
        with_parents += [column, *_with_parents(parents)]
    return with_parents


def _input_layer(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[FeatureColumn],
    weight_collections: Any,
    trainable: bool,
    scope: tuple[Any, str],
    rank: int,
    cols_to_outs: dict[Any, Any] | None = None,
) -> tf.Tensor:
    features = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    outputs = []
    with tf1.variable_scope(*scope, _tensors(features)):
        collections = _collections(weight_collections)
        for column in in_order(feature_columns):
            with _scope(column, features):
                transformed = column.transformed(features)
                if rank == 3:
                    transformed = _of_rank_3(transformed, column.name)
                output = part_of_input(column, transformed, rank, collections, trainable)
            outputs.append(output)
            if cols_to_outs is not None:
                cols_to_outs[column] = output
        return tf.concat(outputs, rank - 1)


def _of_rank_3(transformed: Any, name: str) -> Any:
    if isinstance(transformed, tuple):
        return tuple(of_rank(tensor, 3, name) for tensor in transformed)
    return of_rank(transformed, 3, name)


def part_of_input(
    column: FeatureColumn, transformed: Any, rank: int, collections: Any, trainable: bool
) -> tf.Tensor:
    """Returns the output of a column in an input layer.

    Args:
      column: Feature column.
      transformed: Transformed features of the column.
      rank: Rank of the input layer: 2, or 3 for sequences.
      collections: Collections to add the variable to.
      trainable: If true, the variable is trainable.

    Raises:
      ValueError: Deep models do not support the column.
    """
    lookup = column.deep_lookup(transformed)
    if lookup is None:
        try:
            return column.deep_input(transformed, rank)
        except ValueError as error:
            raise ValueError(
                f"Error creating input layer for column: {column.name}.\n{error}"
            ) from error
    ids = shaping.inner_flatten(lookup.ids, rank)
    weights = None if lookup.weights is None else shaping.inner_flatten(lookup.weights, rank)
    table = _table(column, collections, trainable)
    parts = embedding_ops.parts_of(table)
    _start_from_checkpoint(column, parts)
    return embedding_ops.safe_embedding_lookup_sparse(
        parts,
        ids,
        sparse_weights=weights,
        combiner=column.combiner,  # type: ignore[attr-defined]
        name=f"{column.name}weights",
        max_norm=column.max_norm,  # type: ignore[attr-defined]
    )


def _table(column: Any, collections: Any, trainable: bool) -> Any:
    """Returns the embedding table of a column, which other columns may share."""
    shape = [column.length, column.dimension]
    name = column.shared_embedding_name

    def make(name: str) -> Any:
        return variables.model_variable(
            name,
            shape=shape,
            dtype=tf.float32,
            initializer=column.initializer,
            trainable=trainable and column.trainable,
            collections=collections,
        )

    if name is None:
        return make("weights")
    tables = tf1.get_collection_ref(f"SHARED_EMBEDDING_COLLECTION_{name.upper()}")
    if not tables:
        tables.append(make(name))
    if len(tables) > 1:
        raise ValueError(f"The collection of {name} can only contain one (partitioned) variable.")
    if tables[0].shape.as_list() != shape:
        raise ValueError(
            f"The embedding variable with name {name} already exists, but its shape does not match "
            "required embedding shape here. Please make sure to use different "
            "shared_embedding_name for different shared embeddings."
        )
    return tables[0]


def _start_from_checkpoint(column: FeatureColumn, parts: list[Any]) -> None:
    if column.checkpoint is not None:
        path, name = column.checkpoint
        variable_or_parts = parts if len(parts) > 1 else parts[0]
        assignment.init_from_checkpoint(path, {name: variable_or_parts})


def _weights(name: str, shape: Sequence[int], trainable: bool, collections: Any) -> list[Any]:
    weights = variables.model_variable(
        name,
        shape=shape,
        dtype=tf.float32,
        initializer=tf1.zeros_initializer(),
        trainable=trainable,
        collections=collections,
    )
    return embedding_ops.parts_of(weights)


def _bias(num_outputs: int, trainable: bool, weight_collections: Any) -> Any:
    collections = _collections(weight_collections)
    return variables.model_variable(
        "bias_weight",
        shape=[num_outputs],
        initializer=tf1.zeros_initializer(),
        trainable=trainable,
        collections=collections,
    )


def weighted_sum_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[FeatureColumn],
    num_outputs: int,
    weight_collections: Sequence[str] | None = None,
    trainable: bool = True,
    scope: Any = None,
) -> tuple[tf.Tensor, dict[Any, list[Any]], Any]:
    """Builds a linear model with separate variables for each column.

    Args:
      columns_to_tensors: Features by name.
      feature_columns: Feature columns.
      num_outputs: Number of outputs.
      weight_collections: Collections to add the variables to.
      trainable: If true, the variables are trainable.
      scope: Variable scope. The default is "weighted_sum_from_feature_columns".

    Returns:
      The sum of shape [batch, num_outputs], a dict of the variables by column, and the bias.

    Raises:
      ValueError: A column occurs twice, or linear models do not support a column.
    """
    features = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    outputs, weights_of_column = [], {}
    with tf1.variable_scope(scope, "weighted_sum_from_feature_columns", _tensors(features)):
        for column in in_order(feature_columns):
            transformed = column.transformed(features)
            try:
                lookup = column.wide_lookup(transformed)
            except ValueError as error:
                raise ValueError(
                    f"Error creating weighted sum for column: {column.name}.\n{error}"
                ) from error
            with _scope(column, features):
                if lookup is None:
                    dense = of_rank(column.dense(transformed), 2, column.name)
                    shape = [dense.shape.as_list()[1], num_outputs]
                    parts = _weights("weight", shape, trainable, weight_collections)
                    output = tf.matmul(dense, parts[0], name="matmul")
                else:
                    shape = [lookup.size, num_outputs]
                    parts = _weights("weights", shape, trainable, weight_collections)
                    output = _sum_of(lookup, parts, f"{column.name}_weights")
            outputs.append(tf.reshape(output, [-1, num_outputs]))
            weights_of_column[column] = parts
            _start_from_checkpoint(column, parts)
        bias = _bias(num_outputs, trainable, weight_collections)
        return tf.nn.bias_add(tf.add_n(outputs), bias), weights_of_column, bias


def _sum_of(lookup: WideLookup, parts: list[Any], name: str) -> tf.Tensor:
    return embedding_ops.safe_embedding_lookup_sparse(
        parts, lookup.ids, lookup.weights, lookup.combiner, name=name
    )


def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: dict[Any, Any],
    feature_columns: Iterable[FeatureColumn],
    num_outputs: int,
    weight_collections: Sequence[str] | None = None,
    trainable: bool = True,
    scope: Any = None,
) -> tuple[tf.Tensor, list[Any], Any]:
    """Builds a linear model with one variable for all columns.

    See `weighted_sum_from_feature_columns` for the arguments. The default scope is
    "joint_weighted_sum_from_feature_columns".

    Returns:
      The sum of shape [batch, num_outputs], the list of the variable's parts, and the bias.

    Raises:
      NotImplementedError: A column is real-valued.
      AssertionError: The list of columns is empty, or a column has weights or a combiner other
        than "sum".
    """
    features = dict(columns_to_tensors)
    check_feature_columns(feature_columns)
    default_scope = "joint_weighted_sum_from_feature_columns"
    with tf1.variable_scope(scope, default_scope, _tensors(features)):
        lookups = [
            column.wide_lookup(column.transformed(features)) for column in in_order(feature_columns)
        ]
        joint = _join_lookups(lookups)
        with tf1.variable_scope(None, "linear_weights", _tensors(features)):
            parts = _weights("weights", [joint.size, num_outputs], trainable, weight_collections)
            output = _sum_of(joint, parts, "_weights")
        bias = _bias(num_outputs, trainable, weight_collections)
        return tf.nn.bias_add(output, bias), parts, bias


def _join_lookups(lookups: Sequence[WideLookup | None]) -> WideLookup:
    ids, size = [], 0
    for lookup in lookups:
        if lookup is None:
            raise NotImplementedError(
                "Real-valued columns are not supported. Use weighted_sum_from_feature_columns "
                "instead, or bucketize these columns."
            )
        if lookup.weights is not None or lookup.combiner != "sum":
            raise AssertionError(
                "Weights and combiners other than sum are not supported for joint sums. Please use "
                "weighted_sum_from_feature_columns instead."
            )
        ids.append(lookup.ids.with_values(tf.cast(lookup.ids.values, tf.int64) + size))
        size += lookup.size
    if not ids:
        raise AssertionError("At least one column must be in the model.")
    return WideLookup(tf.sparse.concat(1, ids), None, size, "sum")
