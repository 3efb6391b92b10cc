"""Layers that change the shape or the values of a tensor, from tf.contrib.layers.

net = stack(flatten(images), fully_connected, [128, 64, 32])
net = dropout(net, keep_prob=0.8, is_training=training)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.framework import variables
from legacy.contrib.framework.arg_scope import add_arg_scope
from legacy.contrib.layers import scopes, utils

tf1 = tf.compat.v1


@add_arg_scope
def dropout(
    inputs: Any,
    keep_prob: Any = 0.5,
    noise_shape: Any = None,
    is_training: Any = True,
    outputs_collections: Any = None,
    scope: Any = None,
    seed: int | None = None,
) -> tf.Tensor:
    """Sets random elements to zero in training, and scales the others to keep the mean.

    Args:
      inputs: Input tensor.
      keep_prob: Probability that an element is kept.
      noise_shape: Shape of the dropout mask. The mask is broadcast along dimensions of size 1.
      is_training: Boolean or tensor. If false, returns the inputs unchanged.
      outputs_collections: Collections to add the result to.
      scope: Variable scope. The default is "Dropout", made unique.
      seed: Random seed.

    Returns:
      A tensor with the shape of the inputs.
    """
    with tf1.variable_scope(scope, "Dropout", [inputs]) as layer_scope:
        inputs = tf.convert_to_tensor(inputs)
        outputs = utils.smart_cond(
            is_training,
            lambda: tf1.nn.dropout(inputs, noise_shape=noise_shape, seed=seed, rate=1 - keep_prob),
            lambda: tf.identity(inputs),
        )
        return scopes.finish(layer_scope.name, outputs, None, outputs_collections)


@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> tf.Tensor:
    """Flattens all dimensions except the first.

    Args:
      inputs: Tensor of rank 1 or more.
      outputs_collections: Collections to add the result to.
      scope: Name scope.

    Returns:
      A tensor of shape [batch, size].

    Raises:
      ValueError: The rank is 0 or unknown.
    """
    with tf1.name_scope(scope, "Flatten", [inputs]) as scope_name:
        inputs = tf.convert_to_tensor(inputs)
        outputs = tf1.layers.Flatten()(inputs)
        return scopes.finish(scope_name, outputs, None, outputs_collections)


@add_arg_scope
def inner_flatten(
    inputs: Any, new_rank: int, output_collections: Any = None, scope: Any = None
) -> Any:
    """Flattens the last dimensions, so that the result has a certain rank.

    Args:
      inputs: Tensor or SparseTensor whose rank is at least `new_rank`.
      new_rank: Rank of the result.
      output_collections: Collections to add the result to.
      scope: Name scope.

    Returns:
      A tensor of rank `new_rank`.

    Raises:
      ValueError: The rank of the inputs is less than `new_rank`.
    """
    with tf1.name_scope(scope, "InnerFlatten", [inputs, new_rank]) as scope_name:
        if isinstance(inputs, tf.SparseTensor):
            rank = inputs.dense_shape.shape.as_list()[0]
            if rank is not None and rank < new_rank:
                raise ValueError(
                    f"Inputs has rank less than new_rank. {inputs} must have rank at least "
                    f"{new_rank}. Received rank {rank}, shape {inputs.shape}"
                )
            sizes = inputs.dense_shape
            inner = tf.reduce_prod(sizes[new_rank - 1 :], keepdims=True)
            outputs = tf.sparse.reshape(inputs, tf.concat([sizes[: new_rank - 1], inner], 0))
        else:
            inputs = tf.convert_to_tensor(inputs)
            check = tf1.debugging.assert_rank_at_least(
                inputs, new_rank, message="inputs has rank less than new_rank"
            )
            with tf.control_dependencies([] if check is None else [check]):
                sizes = tf.shape(inputs)[: new_rank - 1]
                outputs = tf.reshape(inputs, tf.concat([sizes, [-1]], 0))
            if inputs.shape.rank is not None:
                inner = inputs.shape[new_rank - 1 :].num_elements()
                outputs.set_shape([*inputs.shape.as_list()[: new_rank - 1], inner])
    return scopes.finish(scope_name, outputs, None, output_collections)


@add_arg_scope
def one_hot_encoding(
    labels: Any,
    num_classes: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Encodes labels as one-hot vectors.

    Args:
      labels: Integer tensor.
      num_classes: Size of each vector.
      on_value: Value at the index of the label.
      off_value: Value everywhere else.
      outputs_collections: Collections to add the result to.
      scope: Name scope.

    Returns:
      A tensor of shape [*labels.shape, num_classes].
    """
    with tf1.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as scope_name:
        labels = tf.convert_to_tensor(labels)
        if labels.dtype == tf.int32:
            labels = tf.cast(labels, tf.int64)
        outputs = tf.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return scopes.finish(scope_name, outputs, None, outputs_collections)


@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> tf.Tensor:
    """Returns the softmax over the last dimension.

    Args:
      logits: Tensor of rank 2 or more.
      scope: Variable scope. The default is "softmax".

    Raises:
      ValueError: The rank is less than 2, or the last dimension is unknown.
    """
    with tf1.variable_scope(scope, "softmax", [logits]):
        size = utils.last_dimension(logits.shape, min_rank=2)
        predictions = tf.nn.softmax(tf.reshape(logits, [-1, size]))
        predictions = tf.reshape(predictions, tf.shape(logits))
        predictions.set_shape(logits.shape)
        return predictions


@add_arg_scope
def spatial_softmax(
    features: Any,
    temperature: float | None = None,
    name: str | None = None,
    variables_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
) -> tf.Tensor:
    """Returns the mean position of each channel, weighted by a softmax over its pixels.

    Args:
      features: Images of rank 4.
      temperature: Divisor of the images before the softmax: the initial value of a variable. The
        default is 1.
      name: Variable scope. The default is "spatial_softmax".
      variables_collections: Collections to add the variable "temperature" to, or a dict of
        collections by variable name. Used only if `trainable` is true.
      trainable: If true, the temperature is trainable.
      data_format: "NHWC" (channels last) or "NCHW" (channels first).

    Returns:
      A tensor of shape [batch, 2 * channels]: the row and the column of each channel, from -1 to 1.

    Raises:
      ValueError: The data format is unsupported, or the number of channels is unknown.
    """
    with tf1.variable_scope(name, "spatial_softmax"):
        scopes.check_format(data_format)
        if data_format == "NHWC":
            features = tf.transpose(features, [0, 3, 1, 2])
        channels = features.shape.as_list()[1]
        if channels is None:
            raise ValueError(
                "The num_channels dimension of the inputs to `spatial_softmax` should be defined. "
                "Found `None`."
            )
        with tf1.name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            height, width = tf.unstack(tf.shape(features)[2:])
            rows, columns = tf.meshgrid(
                tf.linspace(-1.0, 1.0, height), tf.linspace(-1.0, 1.0, width), indexing="ij"
            )
            divisor = variables.model_variable(
                "temperature",
                shape=(),
                initializer=tf1.constant_initializer(1.0 if temperature is None else temperature),
                collections=utils.get_variable_collections(variables_collections, "temperature")
                if trainable
                else None,
                trainable=trainable,
            )
            weights = tf.nn.softmax(tf.reshape(features, [-1, height * width]) / divisor)
            places = [
                tf.reduce_sum(tf.reshape(axis, [-1]) * weights, [1], keepdims=True)
                for axis in (rows, columns)
            ]
            keypoints = tf.reshape(tf.concat(places, 1), [-1, channels * 2])
    keypoints.set_shape([None, channels * 2])
    return keypoints


@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: Any = None) -> tf.Tensor:
    """Takes the maximum over groups of channels.

    Args:
      inputs: Input tensor.
      num_units: Number of groups. It must divide the number of channels.
      axis: Axis of the channels.
      scope: Variable scope. The default is "MaxOut".

    Returns:
      A tensor with `num_units` channels.

    Raises:
      ValueError: `num_units` does not divide the number of channels.
    """
    with tf1.variable_scope(scope, "MaxOut", [inputs]):
        inputs = tf.convert_to_tensor(inputs)
        sizes = inputs.shape.as_list()
        channels = sizes[axis]
        if channels % num_units:
            raise ValueError(
                f"number of features({channels}) is not a multiple of num_units({num_units})"
            )
        sizes[axis] = num_units
        sizes.append(channels // num_units)
        dynamic = tf.shape(inputs)
        sizes = [dynamic[i] if size is None else size for i, size in enumerate(sizes)]
        return tf.reduce_max(tf.reshape(inputs, sizes), -1)


@add_arg_scope
def dense_to_sparse(
    tensor: Any, eos_token: Any = 0, outputs_collections: Any = None, scope: Any = None
) -> tf.SparseTensor:
    """Converts a dense tensor to a SparseTensor that omits one value.

    Args:
      tensor: Dense tensor.
      eos_token: Value to omit.
      outputs_collections: Collections to add the result to.
      scope: Variable scope. The default is "dense_to_sparse".
    """
    with tf1.variable_scope(scope, "dense_to_sparse", [tensor]) as layer_scope:
        tensor = tf.convert_to_tensor(tensor)
        indices = tf.where(tf.not_equal(tensor, tf.constant(eos_token, tensor.dtype)))
        shape = tf.shape(tensor, out_type=tf.int64)
        outputs = tf.SparseTensor(indices, tf.gather_nd(tensor, indices), shape)
        return scopes.finish(layer_scope.name, outputs, None, outputs_collections)


@add_arg_scope
def images_to_sequence(
    inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None, scope: Any = None
) -> tf.Tensor:
    """Converts each row of each image to a sequence along the width.

    Args:
      inputs: Images of rank 4.
      data_format: "NHWC" (channels last) or "NCHW" (channels first).
      outputs_collections: Collections to add the result to.
      scope: Name scope.

    Returns:
      A tensor of shape [width, batch * height, channels].

    Raises:
      ValueError: The data format is unsupported.
    """
    scopes.check_format(data_format)
    with tf1.name_scope(scope, "ImagesToSequence", [inputs]) as scope_name:
        inputs = tf.convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = tf.transpose(inputs, [0, 2, 3, 1])
        width, channels = inputs.shape.as_list()[2:]
        rows = tf.shape(inputs)[0] * tf.shape(inputs)[1]
        outputs = tf.reshape(tf.transpose(inputs, [2, 0, 1, 3]), [width, rows, channels])
        return scopes.finish(scope_name, outputs, None, outputs_collections)


@add_arg_scope
def sequence_to_images(
    inputs: Any,
    height: int,
    output_data_format: str = "channels_last",
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Converts sequences to images. Reverses `images_to_sequence`.

    Args:
      inputs: Tensor of shape [width, batch * height, channels].
      height: Height of the images.
      output_data_format: "channels_last" or "channels_first".
      outputs_collections: Collections to add the result to.
      scope: Name scope.
    """
    with tf1.name_scope(scope, "SequenceToImages", [inputs]) as scope_name:
        inputs = tf.convert_to_tensor(inputs)
        width, rows, channels = inputs.shape.as_list()
        batch = -1 if rows is None else rows // height
        sequences = tf.reshape(inputs, [width, batch, height, channels])
        is_channels_first = output_data_format == "channels_first"
        outputs = tf.transpose(sequences, [1, 3, 2, 0] if is_channels_first else [1, 2, 0, 3])
        return scopes.finish(scope_name, outputs, None, outputs_collections)


@tf.custom_gradient
def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """Returns the inputs unchanged, and multiplies the gradient by a factor.

    Args:
      inputs: Input tensor.
      gradient_multiplier: Factor of the gradient.
    """
    return tf.identity(inputs), lambda gradient: (gradient * gradient_multiplier, None)
