"""tf.contrib.slim.tfexample_decoder: items of tf.Example records.

decoder = TFExampleDecoder(
    {"image/encoded": tf.io.FixedLenFeature((), tf.string, ""), ...},
    {"image": Image(), "label": Tensor("image/class/label")})
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib.slim import data_decoder

tf1 = tf.compat.v1
_Features = Mapping[str, Any]


class ItemHandler(abc.ABC):
    """What makes an item of some features."""

    def __init__(self, keys: Any) -> None:
        """Sets the features.

        Args:
          keys: Their names, or one name.
        """
        self._keys = keys if isinstance(keys, (tuple, list)) else [keys]

    @property
    def keys(self) -> Any:
        """The names of the features."""
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: _Features) -> Any:
        """Returns the item.

        Args:
          keys_to_tensors: The features by name.
        """


class ItemHandlerCallback(ItemHandler):
    """An item that a function makes."""

    def __init__(self, keys: Any, func: Callable[[_Features], Any]) -> None:
        """Sets the function.

        Args:
          keys: The names of the features.
          func: From features by name to the item.
        """
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: _Features) -> Any:
        """Returns the item."""
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Boxes, of shape [number, 4], from a feature for each side."""

    def __init__(self, keys: Any = None, prefix: str = "") -> None:
        """Sets the features.

        Args:
          keys: Four names; None is ymin, xmin, ymax, xmax.
          prefix: What stands before the names.

        Raises:
          ValueError: They are not four.
        """
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else keys
        if len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        super().__init__([prefix + key for key in keys])

    def tensors_to_item(self, keys_to_tensors: _Features) -> tf.Tensor:
        """Returns the boxes."""
        sides = [keys_to_tensors[key] for key in self._keys]
        sides = [each.values if isinstance(each, tf.SparseTensor) else each for each in sides]
        return tf.transpose(tf.stack(sides))


class Tensor(ItemHandler):
    """A feature as it is, reshaped."""

    def __init__(
        self, tensor_key: str, shape_keys: Any = None, shape: Any = None, default_value: Any = 0
    ) -> None:
        """Sets the feature.

        Args:
          tensor_key: Its name.
          shape_keys: The names of features that have its shape.
          shape: Its shape.
          default_value: What stands where a sparse feature has nothing.

        Raises:
          ValueError: Both kinds of shape are given.
        """
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        super().__init__([tensor_key, *(shape_keys or [])])
        self._tensor_key = tensor_key
        self._shape_keys = shape_keys
        self._shape = shape
        self._default_value = default_value

    def tensors_to_item(self, keys_to_tensors: _Features) -> tf.Tensor:
        """Returns the feature, dense."""
        tensor = keys_to_tensors[self._tensor_key]
        shape = self._shape
        if self._shape_keys:
            sizes = [_dense(keys_to_tensors[key]) for key in self._shape_keys]
            shape = tf.reshape(tf.stack(sizes), [-1])
        if isinstance(tensor, tf.SparseTensor):
            if shape is not None:
                tensor = tf.sparse.reshape(tensor, shape)
            return tf.sparse.to_dense(tensor, self._default_value)
        return tensor if shape is None else tf.reshape(tensor, shape)


def _dense(tensor: Any) -> tf.Tensor:
    return tf.sparse.to_dense(tensor) if isinstance(tensor, tf.SparseTensor) else tensor


class LookupTensor(Tensor):
    """A feature looked up in a table."""

    def __init__(
        self,
        tensor_key: str,
        table: Any,
        shape_keys: Any = None,
        shape: Any = None,
        default_value: Any = "",
    ) -> None:
        """Sets the feature; arguments as of `Tensor`.

        Args:
          tensor_key: Its name.
          table: The table.
          shape_keys: The names of features that have its shape.
          shape: Its shape.
          default_value: What stands where a sparse feature has nothing.
        """
        super().__init__(tensor_key, shape_keys, shape, default_value)
        self._table = table

    def tensors_to_item(self, keys_to_tensors: _Features) -> tf.Tensor:
        """Returns what the table has for the feature."""
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """An item, or another where that is empty."""

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        """Sets both.

        Args:
          handler: The item.
          backup: The other.

        Raises:
          ValueError: One of them is something else.
        """
        for name, each in (("Primary", handler), ("Backup", backup)):
            if not isinstance(each, ItemHandler):
                raise ValueError(f"{name} handler is of type {type(each)} instead of ItemHandler")
        super().__init__(handler.keys + backup.keys)
        self._handler, self._backup = handler, backup

    def tensors_to_item(self, keys_to_tensors: _Features) -> tf.Tensor:
        """Returns the item, or the other."""
        item = self._handler.tensors_to_item(keys_to_tensors)
        return tf1.cond(
            tf.equal(tf.size(item), 0),
            lambda: self._backup.tensors_to_item(keys_to_tensors),
            lambda: item,
        )


class SparseTensor(ItemHandler):
    """A SparseTensor of one feature for places and one for values."""

    def __init__(
        self,
        indices_key: str | None = None,
        values_key: str | None = None,
        shape_key: str | None = None,
        shape: Any = None,
        densify: bool = False,
        default_value: Any = 0,
    ) -> None:
        """Sets the features.

        Args:
          indices_key: The name of the places; None is "indices".
          values_key: The name of the values; None is "values".
          shape_key: The name of the shape.
          shape: The shape; without both it is that of the places.
          densify: Whether the item is dense.
          default_value: What stands where there is nothing, then.
        """
        self._indices_key = indices_key or "indices"
        self._values_key = values_key or "values"
        self._shape_key = shape_key
        self._shape = shape
        self._densify = densify
        self._default_value = default_value
        keys = [self._indices_key, self._values_key]
        super().__init__([*keys, shape_key] if shape_key else keys)

    def tensors_to_item(self, keys_to_tensors: _Features) -> Any:
        """Returns the SparseTensor, or what it is dense."""
        indices = keys_to_tensors[self._indices_key]
        values = keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        else:
            shape = self._shape or indices.dense_shape
        last = tf.cast(tf.reshape(indices.values, [-1, 1]), tf.int64)
        places = tf.concat([indices.indices[:, :-1], last], 1)
        tensor = tf.SparseTensor(places, values.values, shape)
        return tf.sparse.to_dense(tensor, self._default_value) if self._densify else tensor


class Image(ItemHandler):
    """A decoded image."""

    def __init__(
        self,
        image_key: str | None = None,
        format_key: str | None = None,
        shape: Any = None,
        channels: int = 3,
        dtype: Any = tf.uint8,
        repeated: bool = False,
        dct_method: str = "",
    ) -> None:
        """Sets the features.

        Args:
          image_key: The name of the encoded image; None is "image/encoded".
          format_key: The name of its format; None is "image/format". "raw" is not encoded.
          shape: The image's shape.
          channels: The number of channels.
          dtype: The type of pixels.
          repeated: Whether there are several.
          dct_method: How JPEG is decoded, as of `tf.io.decode_jpeg`.
        """
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape = shape
        self._channels = channels
        self._dtype = dtype
        self._repeated = repeated
        self._dct_method = dct_method

    def tensors_to_item(self, keys_to_tensors: _Features) -> tf.Tensor:
        """Returns the image, or images."""
        encoded = keys_to_tensors[self._image_key]
        image_format = keys_to_tensors[self._format_key]
        if not self._repeated:
            return self._decode(encoded, image_format)
        return tf.map_fn(
            lambda each: self._decode(each, image_format), encoded, fn_output_signature=self._dtype
        )

    def _decode(self, encoded: tf.Tensor, image_format: tf.Tensor) -> tf.Tensor:
        def any_format() -> tf.Tensor:
            return tf.cast(tf.image.decode_image(encoded, channels=self._channels), self._dtype)

        def jpeg() -> tf.Tensor:
            image = tf.io.decode_jpeg(encoded, channels=self._channels, dct_method=self._dct_method)
            return tf.cast(image, self._dtype)

        image = tf1.cond(
            tf.equal(image_format, "raw") | tf.equal(image_format, "RAW"),
            lambda: tf.io.decode_raw(encoded, self._dtype),
            lambda: tf1.cond(tf.io.is_jpeg(encoded), jpeg, any_format),
        )
        if self._shape is not None:
            return tf.reshape(image, self._shape)
        image.set_shape([None, None, self._channels])
        return image


class TFExampleDecoder(data_decoder.DataDecoder):
    """Makes items of a serialized tf.Example."""

    def __init__(
        self, keys_to_features: _Features, items_to_handlers: Mapping[str, ItemHandler]
    ) -> None:
        """Sets what is parsed.

        Args:
          keys_to_features: Features such as `tf.io.FixedLenFeature`, by name.
          items_to_handlers: What makes each item.
        """
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> list[str]:
        """Returns the names of all items."""
        return list(self._items_to_handlers)

    def decode(self, serialized_example: tf.Tensor, items: Any = None) -> list[Any]:
        """Returns the tensors of items.

        Args:
          serialized_example: A tf.Example, a scalar string.
          items: Names; None is all.
        """
        example = tf1.io.parse_single_example(serialized_example, self._keys_to_features)
        for key, feature in sorted(self._keys_to_features.items()):
            if isinstance(feature, tf.io.FixedLenFeature):
                example[key] = tf.reshape(example[key], feature.shape)
        found = []
        for item in items or self._items_to_handlers:
            handler = self._items_to_handlers[item]
            found.append(handler.tensors_to_item({key: example[key] for key in handler.keys}))
        return found
