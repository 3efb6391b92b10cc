"""Feature columns of tf.contrib.layers.

Files in reading order:
base                  defines FeatureColumn, the base class of all columns
core_columns          adapts columns to tf.feature_column and tf.estimator
sparse_columns        turns categories into ids: sparse_column_with_keys
embedding_columns     turns ids into vectors: embedding_column, one_hot_column
real_valued_columns   reads, buckets and crosses numbers: real_valued_column
sparse_feature_cross  hashes combinations of features
embedding_ops         looks up rows of embedding tables
parsing               parses tf.Examples into the features of columns
layers                builds input layers and linear models from columns
"""
