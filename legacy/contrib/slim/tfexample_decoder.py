"""tf.contrib.slim.tfexample_decoder, which decodes tf.Example records into items.

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
    """Base class of handlers, which build an item from features."""

    def __init__(self, keys: Any) -> None:
        """Initializes the names of the features.

        Args:
          keys: Name or names of the features.
        """
        self._keys = keys if isinstance(keys, (tuple, list)) else [keys]

    @property
    def keys(self) -> Any:
        """Names of the features."""
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: _Features) -> Any:
        """Returns the item that the features describe.

        Args:
          keys_to_tensors: Features by name.
        """


class ItemHandlerCallback(ItemHandler):
    """Handler that calls a function."""

    def __init__(self, keys: Any, func: Callable[[_Features], Any]) -> None:
        """Initializes the function.

        Args:
          keys: Name or names of the features.
          func: Function of a dict of features by name that returns the item.
        """
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: _Features) -> Any:
        """Returns the item that the features describe."""
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Handler of bounding boxes, of shape [number of boxes, 4], with one feature per side."""

    def __init__(self, keys: Any = None, prefix: str = "") -> None:
        """Initializes the names of the features.

        Args:
          keys: Names of four features. The default is ymin, xmin, ymax, xmax.
          prefix: Prefix of the names, such as "image/object/bbox/".

        Raises:
          ValueError: `keys` does not have four names.
        """
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else keys
        if len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        super().__init__([prefix + key for key in keys])

    def tensors_to_item(self, keys_to_tensors: _Features) -> tf.Tensor:
        """Returns the bounding boxes."""
        sides = [keys_to_tensors[key] for key in self._keys]
        sides = [side.values if isinstance(side, tf.SparseTensor) else side for side in sides]
        return tf.transpose(tf.stack(sides))


class Tensor(ItemHandler):
    """Handler that returns a feature as a dense tensor."""

    def __init__(
        self, tensor_key: str, shape_keys: Any = None, shape: Any = None, default_value: Any = 0
    ) -> None:
        """Initializes the feature and its shape.

        Args:
          tensor_key: Name of the feature.
          shape_keys: Names of the features that hold the shape.
          shape: Static shape.
          default_value: Fill value for the missing elements of a sparse feature.

        Raises:
          ValueError: Both `shape_keys` and `shape` are specified.
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
        """Returns the feature as a dense tensor."""
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
    """Handler that looks up a feature in a table."""

    def __init__(
        self,
        tensor_key: str,
        table: Any,
        shape_keys: Any = None,
        shape: Any = None,
        default_value: Any = "",
    ) -> None:
        """Initializes the feature and its table. See `Tensor`.

        Args:
          tensor_key: Name of the feature.
          table: Lookup table.
          shape_keys: Names of the features that hold the shape.
          shape: Static shape.
          default_value: Fill value for the missing elements of a sparse feature.
        """
        super().__init__(tensor_key, shape_keys, shape, default_value)
        self._table = table

    def tensors_to_item(self, keys_to_tensors: _Features) -> tf.Tensor:
        """Returns the values of the feature in the table."""
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """Handler that uses a second handler if the item of the first is empty."""

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        """Initializes both handlers.

        Args:
          handler: Primary handler.
          backup: Handler to use if the item of `handler` is empty.

        Raises:
          ValueError: An argument is not an `ItemHandler`.
        """
        for name, item_handler in (("Primary", handler), ("Backup", backup)):
            if not isinstance(item_handler, ItemHandler):
                raise ValueError(
                    f"{name} handler is of type {type(item_handler)} instead of ItemHandler"
                )
        super().__init__(handler.keys + backup.keys)
        self._handler, self._backup = handler, backup

    def tensors_to_item(self, keys_to_tensors: _Features) -> tf.Tensor:
        """Returns the item of the primary handler, or of the backup if that item is empty."""
        item = self._handler.tensors_to_item(keys_to_tensors)
        return tf1.cond(
            tf.equal(tf.size(item), 0),
            lambda: self._backup.tensors_to_item(keys_to_tensors),
            lambda: item,
        )


class SparseTensor(ItemHandler):
    """Handler of a SparseTensor, with one feature for the indices and one for the values."""

    def __init__(
        self,
        indices_key: str | None = None,
        values_key: str | None = None,
        shape_key: str | None = None,
        shape: Any = None,
        densify: bool = False,
        default_value: Any = 0,
    ) -> None:
        """Initializes the names of the features.

        Args:
          indices_key: Name of the feature with the indices. The default is "indices".
          values_key: Name of the feature with the values. The default is "values".
          shape_key: Name of the feature with the shape.
          shape: Static shape. If `shape_key` is None, too, the default is the shape of the indices.
          densify: If true, the item is a dense tensor.
          default_value: Fill value for the missing elements of a dense item.
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
        """Returns the SparseTensor, or a dense tensor if `densify` is true."""
        indices = keys_to_tensors[self._indices_key]
        values = keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        else:
            shape = self._shape or indices.dense_shape
        # The values of the indices feature are the last index of each element.
        last_indices = tf.cast(tf.reshape(indices.values, [-1, 1]), tf.int64)
        places = tf.concat([indices.indices[:, :-1], last_indices], 1)
        tensor = tf.SparseTensor(places, values.values, shape)
        return tf.sparse.to_dense(tensor, self._default_value) if self._densify else tensor


class Image(ItemHandler):
    """Handler that decodes images."""

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
        """Initializes the names of the features and the properties of the image.

        Args:
          image_key: Name of the feature with the encoded image. The default is "image/encoded".
          format_key: Name of the feature with the image format. The default is "image/format". The
            format "raw" means unencoded pixels.
          shape: Shape of the image.
          channels: Number of channels.
          dtype: Type of the pixels.
          repeated: If true, the feature holds several images.
          dct_method: DCT method of `tf.io.decode_jpeg`.
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
        """Returns the image, or the images if `repeated` is true."""
        contents = keys_to_tensors[self._image_key]
        image_format = keys_to_tensors[self._format_key]
        if not self._repeated:
            return self._decode(contents, image_format)
        return tf.map_fn(
            lambda content: self._decode(content, image_format),
            contents,
            fn_output_signature=self._dtype,
        )

    def _decode(self, contents: tf.Tensor, image_format: tf.Tensor) -> tf.Tensor:
        def any_format() -> tf.Tensor:
            return tf.cast(tf.image.decode_image(contents, channels=self._channels), self._dtype)

        def jpeg() -> tf.Tensor:
            image = tf.io.decode_jpeg(
                contents, channels=self._channels, dct_method=self._dct_method
            )
            return tf.cast(image, self._dtype)

        image = tf1.cond(
            tf.equal(image_format, "raw") | tf.equal(image_format, "RAW"),
            lambda: tf.io.decode_raw(contents, self._dtype),
            lambda: tf1.cond(tf.io.is_jpeg(contents), jpeg, any_format),
        )
        if self._shape is not None:
            return tf.reshape(image, self._shape)
        image.set_shape([None, None, self._channels])
        return image


class TFExampleDecoder(data_decoder.DataDecoder):
    """Decoder of serialized tf.Example records."""

    def __init__(
        self, keys_to_features: _Features, items_to_handlers: Mapping[str, ItemHandler]
    ) -> None:
        """Initializes the features and the items.

        Args:
          keys_to_features: Parsing specs, such as `tf.io.FixedLenFeature`, by feature name.
          items_to_handlers: Handlers by item.
        """
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> list[str]:
        """Returns the names of all items."""
        return list(self._items_to_handlers)

    def decode(self, serialized_example: tf.Tensor, items: Any = None) -> list[Any]:
        """Returns the tensors of items.

        Args:
          serialized_example: Serialized tf.Example, a scalar string.
          items: List of item names. The default is all items.
        """
        example = tf1.io.parse_single_example(serialized_example, self._keys_to_features)
        for key, feature in sorted(self._keys_to_features.items()):
            if isinstance(feature, tf.io.FixedLenFeature):
                example[key] = tf.reshape(example[key], feature.shape)
        tensors = []
        for item in items or self._items_to_handlers:
            handler = self._items_to_handlers[item]
            tensors.append(handler.tensors_to_item({key: example[key] for key in handler.keys}))
        return tensors
