"""tf.contrib.layers: layer functions, regularizers, feature columns and optimize_loss.

    net = layers.fully_connected(features, 64, weights_regularizer=layers.l2_regularizer(1e-4))
    net = layers.batch_norm(net, is_training=training)
    train_op = layers.optimize_loss(loss, None, 0.01, "Adam")

Variables keep their original names, such as "weights", "biases" and "beta", so that old
checkpoints can be restored.

Files in reading order:
dense                   multiplies by weights: fully_connected, linear, bias_add
convolution             convolves: conv1d, conv2d, conv3d
depthwise_convolution   convolves each channel separately: separable_conv2d
transposed_convolution  enlarges images: conv2d_transpose
pooling                 takes the maximum or the mean over windows: max_pool2d
shaping                 changes shapes without weights: flatten, dropout, softmax
repeating               applies a layer several times: repeat, stack
reversible              builds reversible residual layers: rev_block
batch_normalization     normalizes over the batch: batch_norm
moving_averages         updates the moving averages of batch_norm
normalization           normalizes each example: layer_norm, group_norm, unit_norm
initializers            draws initial weights: xavier_initializer
regularizers            penalizes weights: l2_regularizer
optimizers              builds a train op from a loss: optimize_loss
encoders                embeds sequences of ids: embed_sequence, bow_encoder
feature_column          collects the public names of the feature columns
columns                 implements feature columns, their parsing and their layers
summaries               adds summaries of tensors and collections
scopes                  creates the variables of a layer and collects its output
utils                   names outputs, evaluates static values and checks sizes
"""

from legacy.contrib import _missing
from legacy.contrib.layers import feature_column, summaries
from legacy.contrib.layers.batch_normalization import batch_norm
from legacy.contrib.layers.columns.embedding_ops import (
    embedding_lookup_unique,
    safe_embedding_lookup_sparse,
)
from legacy.contrib.layers.columns.layers import (
    input_from_feature_columns,
    joint_weighted_sum_from_feature_columns,
    sequence_input_from_feature_columns,
    weighted_sum_from_feature_columns,
)
from legacy.contrib.layers.columns.parsing import (
    check_feature_columns,
    infer_real_valued_columns,
    parse_feature_columns_from_examples,
    parse_feature_columns_from_sequence_examples,
    transform_features,
)
from legacy.contrib.layers.columns.sparse_feature_cross import SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
from legacy.contrib.layers.convolution import (
    conv1d,
    conv2d,
    conv3d,
    convolution,
    convolution1d,
    convolution2d,
    convolution3d,
)
from legacy.contrib.layers.dense import (
    bias_add,
    elu,
    fully_connected,
    legacy_fully_connected,
    legacy_linear,
    legacy_relu,
    linear,
    relu,
    relu6,
)
from legacy.contrib.layers.depthwise_convolution import (
    conv2d_in_plane,
    convolution2d_in_plane,
    separable_conv2d,
    separable_convolution2d,
)
from legacy.contrib.layers.encoders import bow_encoder, embed_sequence
from legacy.contrib.layers.feature_column import (
    bucketized_column,
    create_feature_spec_for_parsing,
    crossed_column,
    embedding_column,
    make_place_holder_tensors_for_base_features,
    one_hot_column,
    real_valued_column,
    shared_embedding_columns,
    sparse_column_with_hash_bucket,
    sparse_column_with_integerized_feature,
    sparse_column_with_keys,
    sparse_column_with_vocabulary_file,
    weighted_sparse_column,
)
from legacy.contrib.layers.initializers import (
    variance_scaling_initializer,
    xavier_initializer,
    xavier_initializer_conv2d,
)
from legacy.contrib.layers.normalization import (
    group_norm,
    instance_norm,
    layer_norm,
    unit_norm,
)
from legacy.contrib.layers.optimizers import (
    OPTIMIZER_CLS_NAMES,
    OPTIMIZER_SUMMARIES,
    adaptive_clipping_fn,
    optimize_loss,
)
from legacy.contrib.layers.pooling import (
    avg_pool2d,
    avg_pool3d,
    max_pool2d,
    max_pool3d,
    pool,
)
from legacy.contrib.layers.regularizers import (
    apply_regularization,
    l1_l2_regularizer,
    l1_regularizer,
    l2_regularizer,
    sum_regularizer,
)
from legacy.contrib.layers.repeating import repeat, stack
from legacy.contrib.layers.reversible import RevBlock, rev_block
from legacy.contrib.layers.shaping import (
    dense_to_sparse,
    dropout,
    flatten,
    images_to_sequence,
    maxout,
    one_hot_encoding,
    scale_gradient,
    sequence_to_images,
    softmax,
    spatial_softmax,
)
from legacy.contrib.layers.summaries import (
    summarize_activation,
    summarize_activations,
    summarize_biases,
    summarize_collection,
    summarize_tensor,
    summarize_tensors,
    summarize_variables,
    summarize_weights,
)
from legacy.contrib.layers.transposed_convolution import (
    conv2d_transpose,
    conv3d_transpose,
    convolution2d_transpose,
    convolution3d_transpose,
)

__getattr__ = _missing.attribute_of("layers")

__all__ = [
    "OPTIMIZER_CLS_NAMES",
    "OPTIMIZER_SUMMARIES",
    "RevBlock",
    "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY",
    "adaptive_clipping_fn",
    "apply_regularization",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bias_add",
    "bow_encoder",
    "bucketized_column",
    "check_feature_columns",
    "conv1d",
    "conv2d",
    "conv2d_in_plane",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "convolution",
    "convolution1d",
    "convolution2d",
    "convolution2d_in_plane",
    "convolution2d_transpose",
    "convolution3d",
    "convolution3d_transpose",
    "create_feature_spec_for_parsing",
    "crossed_column",
    "dense_to_sparse",
    "dropout",
    "elu",
    "embed_sequence",
    "embedding_column",
    "embedding_lookup_unique",
    "feature_column",
    "flatten",
    "fully_connected",
    "group_norm",
    "images_to_sequence",
    "infer_real_valued_columns",
    "input_from_feature_columns",
    "instance_norm",
    "joint_weighted_sum_from_feature_columns",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "layer_norm",
    "legacy_fully_connected",
    "legacy_linear",
    "legacy_relu",
    "linear",
    "make_place_holder_tensors_for_base_features",
    "max_pool2d",
    "max_pool3d",
    "maxout",
    "one_hot_column",
    "one_hot_encoding",
    "optimize_loss",
    "parse_feature_columns_from_examples",
    "parse_feature_columns_from_sequence_examples",
    "pool",
    "real_valued_column",
    "relu",
    "relu6",
    "repeat",
    "rev_block",
    "safe_embedding_lookup_sparse",
    "scale_gradient",
    "separable_conv2d",
    "separable_convolution2d",
    "sequence_input_from_feature_columns",
    "sequence_to_images",
    "shared_embedding_columns",
    "softmax",
    "sparse_column_with_hash_bucket",
    "sparse_column_with_integerized_feature",
    "sparse_column_with_keys",
    "sparse_column_with_vocabulary_file",
    "spatial_softmax",
    "stack",
    "sum_regularizer",
    "summaries",
    "summarize_activation",
    "summarize_activations",
    "summarize_biases",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
    "summarize_variables",
    "summarize_weights",
    "transform_features",
    "unit_norm",
    "variance_scaling_initializer",
    "weighted_sparse_column",
    "weighted_sum_from_feature_columns",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]
