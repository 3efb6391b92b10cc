"""tf.contrib.image: projective transforms of images.

    rotated = image.rotate(images, math.pi / 6, interpolation="BILINEAR")

A transform is a vector of 8 numbers, a0 to a7. The output pixel (x, y) is read from the input at
((a0 x + a1 y + a2) / k, (a3 x + a4 y + a5) / k), where k = a6 x + a7 y + 1. Points outside of the
input are 0.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1
_DTYPES = (tf.uint8, tf.int32, tf.int64, tf.float16, tf.float32, tf.float64)


def rotate(
    images: Any, angles: Any, interpolation: str = "NEAREST", name: str | None = None
) -> tf.Tensor:
    """Rotates images counterclockwise around their center.

    Args:
      images: Images of shape [batch, height, width, channels], [height, width, channels] or
        [height, width].
      angles: Angle in radians, or a vector with an angle for each image.
      interpolation: "NEAREST" or "BILINEAR".
      name: Name of the operations.

    Returns:
      Images of the same shape.

    Raises:
      TypeError: The dtype or the rank of `images`, or the rank of `angles`, is not supported.
    """
    with tf.name_scope(name or "rotate"):
        images = tf.convert_to_tensor(images)
        height, width = tf.unstack(tf.cast(tf.shape(_batch(images))[1:3], tf.float32))
        transforms = angles_to_projective_transforms(angles, height, width)
        return transform(images, transforms, interpolation)


def translate(
    images: Any, translations: Any, interpolation: str = "NEAREST", name: str | None = None
) -> tf.Tensor:
    """Translates images.

    Args:
      images: As in `rotate`.
      translations: Shift to the right and down, in pixels: [dx, dy], or a row for each image.
      interpolation: "NEAREST" or "BILINEAR".
      name: Name of the operations.

    Returns:
      Images of the same shape.

    Raises:
      TypeError: The dtype or the rank of `images`, or the rank of `translations`, is not supported.
    """
    with tf.name_scope(name or "translate"):
        transforms = translations_to_projective_transforms(translations)
        return transform(images, transforms, interpolation)


def transform(
    images: Any,
    transforms: Any,
    interpolation: str = "NEAREST",
    output_shape: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """Transforms images.

    Args:
      images: As in `rotate`.
      transforms: A transform of shape [8], or a transform for each image, of shape [batch, 8].
      interpolation: "NEAREST" or "BILINEAR".
      output_shape: Height and width of the result. None keeps those of `images`.
      name: Name of the operations.

    Returns:
      The transformed images.

    Raises:
      TypeError: The dtype or the rank of `images`, or the rank of `transforms`, is not supported.
      ValueError: `output_shape` does not have two elements.
    """
    with tf.name_scope(name or "transform"):
        images = tf.convert_to_tensor(images, name="images")
        batch = _batch(images)
        transforms = _rows(transforms, "transforms")
        if output_shape is None:
            static_shape = batch.shape.as_list()[1:3]
            output_shape = tf.shape(batch)[1:3] if None in static_shape else static_shape
        output_shape = tf.convert_to_tensor(output_shape, tf.int32, name="output_shape")
        if not output_shape.shape.is_compatible_with([2]):
            raise ValueError(
                "output_shape must be a 1-D Tensor of 2 elements: new_height, new_width"
            )
        output = tf.raw_ops.ImageProjectiveTransformV2(
            images=batch,
            transforms=transforms,
            output_shape=output_shape,
            interpolation=interpolation.upper(),
        )
        if images.shape.rank == 2:
            return output[0, :, :, 0]
        return output[0] if images.shape.rank == 3 else output


def _batch(images: tf.Tensor) -> tf.Tensor:
    """Returns images as a tensor of rank 4."""
    if images.dtype.base_dtype not in _DTYPES:
        raise TypeError(f"Invalid dtype {images.dtype}.")
    rank = images.shape.rank
    if rank is None:
        raise TypeError("image_or_images rank must be statically known")
    if rank == 2:
        return images[None, :, :, None]
    if rank == 3:
        return images[None]
    if rank != 4:
        raise TypeError("Images should have rank between 2 and 4.")
    return images


def _rows(values: Any, name: str, least: int = 1) -> tf.Tensor:
    """Returns `values` as float32 of rank `least` + 1. Adds a batch dimension of 1 if needed."""
    values = tf.convert_to_tensor(values, tf.float32, name=name)
    rank = values.shape.rank
    if rank is None:
        raise TypeError(f"{name} rank must be statically known")
    if rank not in (least, least + 1):
        raise TypeError(f"{name.capitalize()} should have rank {least} or {least + 1}.")
    return values[None] if rank == least else values


def angles_to_projective_transforms(
    angles: Any, image_height: Any, image_width: Any, name: str | None = None
) -> tf.Tensor:
    """Returns transforms that rotate images around their center.

    Args:
      angles: Angle in radians, or a vector with an angle for each image.
      image_height: Height of the images.
      image_width: Width of the images.
      name: Name of the operations.

    Returns:
      A tensor of shape [number of angles, 8].

    Raises:
      TypeError: The rank of `angles` is not 0 or 1.
    """
    with tf.name_scope(name or "angles_to_projective_transforms"):
        angles = _rows(angles, "angles", least=0)
        cos, sin = tf.cos(angles), tf.sin(angles)
        width = tf.cast(image_width, tf.float32) - 1
        height = tf.cast(image_height, tf.float32) - 1
        x_offset = (width - (cos * width - sin * height)) / 2.0
        y_offset = (height - (sin * width + cos * height)) / 2.0
        zeros = tf.zeros_like(cos)
        return tf.stack([cos, -sin, x_offset, sin, cos, y_offset, zeros, zeros], axis=1)


def translations_to_projective_transforms(translations: Any, name: str | None = None) -> tf.Tensor:
    """Returns transforms that translate images.

    Args:
      translations: Shift to the right and down, in pixels: [dx, dy], or a row for each image.
      name: Name of the operations.

    Returns:
      A tensor of shape [number of translations, 8].

    Raises:
      TypeError: The rank of `translations` is not 1 or 2.
    """
    with tf.name_scope(name or "translations_to_projective_transforms"):
        x, y = tf.unstack(_rows(translations, "translations"), 2, axis=1)
        zeros, ones = tf.zeros_like(x), tf.ones_like(x)
        # A transform maps output points to input points, so the shift is negative.
        return tf.stack([ones, zeros, -x, zeros, ones, -y, zeros, zeros], axis=1)


def flat_transforms_to_matrices(transforms: Any) -> tf.Tensor:
    """Converts transforms of shape [8] or [batch, 8] to matrices of shape [batch, 3, 3].

    Raises:
      ValueError: The rank is not 1 or 2.
    """
    with tf.name_scope("flat_transforms_to_matrices"):
        transforms = tf.convert_to_tensor(transforms, name="transforms")
        if transforms.shape.rank not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {transforms}")
        transforms = tf.reshape(transforms, [-1, 8])
        return tf.reshape(tf.pad(transforms, [[0, 0], [0, 1]], constant_values=1), [-1, 3, 3])


def matrices_to_flat_transforms(transform_matrices: Any) -> tf.Tensor:
    """Converts matrices of shape [3, 3] or [batch, 3, 3] to transforms of shape [batch, 8].

    Raises:
      ValueError: The rank is not 2 or 3.
    """
    with tf.name_scope("matrices_to_flat_transforms"):
        matrices = tf.convert_to_tensor(transform_matrices, name="transform_matrices")
        if matrices.shape.rank not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {matrices}")
        flat = tf.reshape(matrices, [-1, 9])
        return (flat / flat[:, 8:])[:, :8]


def compose_transforms(*transforms: Any) -> tf.Tensor:
    """Composes transforms into one. The first of them is the last that is applied to points.

    Args:
      *transforms: Transforms, each of shape [8] or [batch, 8].

    Raises:
      AssertionError: `transforms` is empty.
    """
    if not transforms:
        raise AssertionError("transforms cannot be empty")
    with tf.name_scope("compose_transforms"):
        product = flat_transforms_to_matrices(transforms[0])
        for transform_of_step in transforms[1:]:
            product = tf.matmul(product, flat_transforms_to_matrices(transform_of_step))
        return matrices_to_flat_transforms(product)


__getattr__ = _missing.attribute_of("image")
