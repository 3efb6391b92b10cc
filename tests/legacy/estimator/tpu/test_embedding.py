"""Tests that EmbeddingConfigSpec keeps its values. The oracle's `tpu_config` covers errors."""

import collections

import pytest
import tensorflow as tf

from legacy.estimator.tpu.experimental import EmbeddingConfigSpec

AdagradParameters = collections.namedtuple("AdagradParameters", "learning_rate")
FeatureConfig = collections.namedtuple("FeatureConfig", "table_id")
TableConfig = collections.namedtuple("TableConfig", "dimension")


def test_columns():
    ids = tf.feature_column.categorical_column_with_identity("ids", 3)
    columns = [
        tf.feature_column.embedding_column(ids, 2),
        tf.compat.v1.tpu.experimental.embedding_column(ids, 2),
    ]
    spec = EmbeddingConfigSpec(columns, AdagradParameters(0.1))
    assert (spec.feature_columns, spec.tensor_core_feature_columns) == (columns, [])
    with pytest.raises(ValueError, match="optimization_parameters must be one of"):
        EmbeddingConfigSpec(columns)


def test_tables():
    tables = {"t": TableConfig(2)}
    spec = EmbeddingConfigSpec(
        feature_to_config_dict={"f": FeatureConfig("t")}, table_to_config_dict=tables
    )
    assert (spec.feature_columns, spec.table_to_config_dict) == (None, tables)
    with pytest.raises(ValueError, match="Feature f refers to table u"):
        EmbeddingConfigSpec(
            feature_to_config_dict={"f": FeatureConfig("u")}, table_to_config_dict=tables
        )
