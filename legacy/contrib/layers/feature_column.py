"""Feature columns of contrib.layers, which describe how a model uses its features.

    age = real_valued_column("age")
    words = sparse_column_with_hash_bucket("words", hash_bucket_size=1000)
    net = input_from_feature_columns(features, [age, embedding_column(words, dimension=8)])

They are older than the columns of tf.feature_column. They also work in the layers of
tf.compat.v1.feature_column and in the models of tf.compat.v1.estimator: see `core_columns`.
"""

from legacy.contrib import _missing
from legacy.contrib.layers.columns.base import FeatureColumn as _FeatureColumn
from legacy.contrib.layers.columns.embedding_columns import (
    _EmbeddingColumn,
    _OneHotColumn,
    embedding_column,
    one_hot_column,
    shared_embedding_columns,
)
from legacy.contrib.layers.columns.parsing import (
    create_feature_spec_for_parsing,
    make_place_holder_tensors_for_base_features,
)
from legacy.contrib.layers.columns.real_valued_columns import (
    _BucketizedColumn,
    _CrossedColumn,
    _RealValuedColumn,
    bucketized_column,
    crossed_column,
    real_valued_column,
)
from legacy.contrib.layers.columns.sparse_columns import (
    _SparseColumn,
    _SparseColumnHashed,
    _SparseColumnIntegerized,
    _SparseColumnKeys,
    _SparseColumnVocabulary,
    _WeightedSparseColumn,
    sparse_column_with_hash_bucket,
    sparse_column_with_integerized_feature,
    sparse_column_with_keys,
    sparse_column_with_vocabulary_file,
    weighted_sparse_column,
)

__getattr__ = _missing.attribute_of("layers.feature_column")

__all__ = [
    "_BucketizedColumn",
    "_CrossedColumn",
    "_EmbeddingColumn",
    "_FeatureColumn",
    "_OneHotColumn",
    "_RealValuedColumn",
    "_SparseColumn",
    "_SparseColumnHashed",
    "_SparseColumnIntegerized",
    "_SparseColumnKeys",
    "_SparseColumnVocabulary",
    "_WeightedSparseColumn",
    "bucketized_column",
    "create_feature_spec_for_parsing",
    "crossed_column",
    "embedding_column",
    "make_place_holder_tensors_for_base_features",
    "one_hot_column",
    "real_valued_column",
    "shared_embedding_columns",
    "sparse_column_with_hash_bucket",
    "sparse_column_with_integerized_feature",
    "sparse_column_with_keys",
    "sparse_column_with_vocabulary_file",
    "weighted_sparse_column",
]
