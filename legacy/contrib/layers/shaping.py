"""Layers without weights, and layers one after another: tf.contrib.layers's.

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
    """Sets elements to zero at random in training, and scales the others to keep the mean.

    Args:
      inputs: A tensor.
      keep_prob: The probability that an element stays.
      noise_shape: The shape of what is drawn; 1 for a dimension whose elements go together.
      is_training: Whether anything is set to zero; a bool or a tensor.
      outputs_collections: Collections for the result.
      scope: The variable scope; "Dropout" by default, made unique.
      seed: The random seed.

    Returns:
      The result.
    """
    with tf1.variable_scope(scope, "Dropout", [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        outputs = utils.smart_cond(
            is_training,
            lambda: tf1.nn.dropout(inputs, noise_shape=noise_shape, seed=seed, rate=1 - keep_prob),
            lambda: tf.identity(inputs),
        )
        return scopes.finish(opened.name, outputs, None, outputs_collections)


@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> tf.Tensor:
    """Makes one dimension of all but the first.

    Args:
      inputs: A tensor of rank 1 or more.
      outputs_collections: Collections for the result.
      scope: The name scope.

    Returns:
      A tensor of shape [batch, rest].

    Raises:
      ValueError: The rank is 0 or not known.
    """
    with tf1.name_scope(scope, "Flatten", [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        outputs = tf1.layers.Flatten()(inputs)
        return scopes.finish(opened, outputs, None, outputs_collections)


@add_arg_scope
def inner_flatten(
    inputs: Any, new_rank: int, output_collections: Any = None, scope: Any = None
) -> Any:
    """Makes one dimension of the last ones, so that a rank is left.

    Args:
      inputs: A tensor or SparseTensor of at least that rank.
      new_rank: The rank.
      output_collections: Collections for the result.
      scope: The name scope.

    Returns:
      The result.

    Raises:
      ValueError: The rank is less.
    """
    with tf1.name_scope(scope, "InnerFlatten", [inputs, new_rank]) as opened:
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
    return scopes.finish(opened, outputs, None, output_collections)


@add_arg_scope
def one_hot_encoding(
    labels: Any,
    num_classes: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Makes a vector of each label: one value at its place, another everywhere else.

    Args:
      labels: Integers.
      num_classes: The vector's size.
      on_value: The value at the label's place.
      off_value: The other.
      outputs_collections: Collections for the result.
      scope: The name scope.

    Returns:
      A tensor with a dimension more.
    """
    with tf1.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as opened:
        labels = tf.convert_to_tensor(labels)
        if labels.dtype == tf.int32:
            labels = tf.cast(labels, tf.int64)
        outputs = tf.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return scopes.finish(opened, outputs, None, outputs_collections)


@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> tf.Tensor:
    """Returns the softmax over the last dimension.

    Args:
      logits: A tensor of rank 2 or more.
      scope: The variable scope; "softmax" by default.

    Raises:
      ValueError: The rank is less, or the last dimension is not known.
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
    """Returns where each channel of images is bright: the mean place, weighted by a softmax.

    Args:
      features: Images, of rank 4.
      temperature: What the images are divided by before; the first value of a variable.
      name: The variable scope; "spatial_softmax" by default.
      variables_collections: Collections for the variable "temperature", or a dict.
      trainable: Whether it is trained.
      data_format: "NHWC", channels last, or "NCHW".

    Returns:
      Places from -1 to 1, of shape [batch, 2 * channels]: row and column of each channel.

    Raises:
      ValueError: The format is another, or the channels are not known.
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
            found = tf.reshape(tf.concat(places, 1), [-1, channels * 2])
    found.set_shape([None, channels * 2])
    return found


@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: Any = None) -> tf.Tensor:
    """Takes the maximum over groups of channels.

    Args:
      inputs: A tensor.
      num_units: How many groups; a divisor of the channels.
      axis: Which dimension the channels are.
      scope: The variable scope; "MaxOut" by default.

    Returns:
      The result, of that many channels.

    Raises:
      ValueError: It is no divisor.
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
    """Makes a SparseTensor of what is not a certain value.

    Args:
      tensor: A tensor.
      eos_token: The value to leave out.
      outputs_collections: Collections for the result.
      scope: The variable scope; "dense_to_sparse" by default.
    """
    with tf1.variable_scope(scope, "dense_to_sparse", [tensor]) as opened:
        tensor = tf.convert_to_tensor(tensor)
        indices = tf.where(tf.not_equal(tensor, tf.constant(eos_token, tensor.dtype)))
        shape = tf.shape(tensor, out_type=tf.int64)
        outputs = tf.SparseTensor(indices, tf.gather_nd(tensor, indices), shape)
        return scopes.finish(opened.name, outputs, None, outputs_collections)


@add_arg_scope
def images_to_sequence(
    inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None, scope: Any = None
) -> tf.Tensor:
    """Makes sequences along the width of images, one for each row.

    Args:
      inputs: Images, of rank 4.
      data_format: "NHWC", channels last, or "NCHW".
      outputs_collections: Collections for the result.
      scope: The name scope.

    Returns:
      A tensor of shape [width, batch * height, channels].

    Raises:
      ValueError: The format is another.
    """
    scopes.check_format(data_format)
    with tf1.name_scope(scope, "ImagesToSequence", [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = tf.transpose(inputs, [0, 2, 3, 1])
        width, channels = inputs.shape.as_list()[2:]
        rows = tf.shape(inputs)[0] * tf.shape(inputs)[1]
        outputs = tf.reshape(tf.transpose(inputs, [2, 0, 1, 3]), [width, rows, channels])
        return scopes.finish(opened, outputs, None, outputs_collections)


@add_arg_scope
def sequence_to_images(
    inputs: Any,
    height: int,
    output_data_format: str = "channels_last",
    outputs_collections: Any = None,
    scope: Any = None,
) -> tf.Tensor:
    """Makes images of sequences, the reverse of `images_to_sequence`.

    Args:
      inputs: A tensor of shape [width, batch * height, channels].
      height: The images' height.
      output_data_format: "channels_last" or "channels_first".
      outputs_collections: Collections for the result.
      scope: The name scope.
    """
    with tf1.name_scope(scope, "SequenceToImages", [inputs]) as opened:
        inputs = tf.convert_to_tensor(inputs)
        width, rows, channels = inputs.shape.as_list()
        batch = -1 if rows is None else rows // height
        split = tf.reshape(inputs, [width, batch, height, channels])
        first = output_data_format == "channels_first"
        outputs = tf.transpose(split, [1, 3, 2, 0] if first else [1, 2, 0, 3])
        return scopes.finish(opened, outputs, None, outputs_collections)


@tf.custom_gradient
def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """Returns its input; the gradient is multiplied on its way back.

    Args:
      inputs: A tensor.
      gradient_multiplier: The factor.
    """
    return tf.identity(inputs), lambda gradient: (gradient * gradient_multiplier, None)
