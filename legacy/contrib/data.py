"""tf.contrib.data: dataset transformations. Most of them are in tf.data.experimental today.

dataset = files.apply(data.parallel_interleave(tf.data.TFRecordDataset, cycle_length=4))
dataset = dataset.apply(data.map_and_batch(parse, batch_size=32))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.estimator.hooks import input_checkpoint

tf1 = tf.compat.v1
_e = tf1.data.experimental

AUTOTUNE = tf.data.AUTOTUNE
CheckpointInputPipelineHook = input_checkpoint.CheckpointInputPipelineHook
# tf.contrib.data was the first home of tf.data, so it also has the dataset classes.
Dataset = tf1.data.Dataset
FixedLengthRecordDataset = tf1.data.FixedLengthRecordDataset
Iterator = tf1.data.Iterator
TFRecordDataset = tf1.data.TFRecordDataset
TextLineDataset = tf1.data.TextLineDataset

Counter = _e.Counter
CsvDataset = _e.CsvDataset
Optional = _e.Optional
RandomDataset = _e.RandomDataset
Reducer = _e.Reducer
SqlDataset = _e.SqlDataset
TFRecordWriter = _e.TFRecordWriter
bucket_by_sequence_length = _e.bucket_by_sequence_length
choose_from_datasets = _e.choose_from_datasets
copy_to_device = _e.copy_to_device
dense_to_sparse_batch = _e.dense_to_sparse_batch
enumerate_dataset = _e.enumerate_dataset
get_next_as_optional = _e.get_next_as_optional
get_single_element = _e.get_single_element
group_by_reducer = _e.group_by_reducer
group_by_window = _e.group_by_window
ignore_errors = _e.ignore_errors
make_batched_features_dataset = _e.make_batched_features_dataset
make_csv_dataset = _e.make_csv_dataset
make_saveable_from_iterator = _e.make_saveable_from_iterator
map_and_batch = _e.map_and_batch
parallel_interleave = _e.parallel_interleave
parse_example_dataset = _e.parse_example_dataset
prefetch_to_device = _e.prefetch_to_device
rejection_resample = _e.rejection_resample
sample_from_datasets = _e.sample_from_datasets
scan = _e.scan
shuffle_and_repeat = _e.shuffle_and_repeat
unbatch = _e.unbatch
unique = _e.unique

_Transformation = Callable[[tf.data.Dataset], tf.data.Dataset]


def batch_and_drop_remainder(batch_size: Any) -> _Transformation:
    """Combines elements into batches of one size, and drops the remainder.

    Args:
      batch_size: Number of examples in a batch.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(
    batch_size: Any, padded_shapes: Any, padding_values: Any = None
) -> _Transformation:
    """Combines padded elements into batches of one size, and drops the remainder.

    Args:
      batch_size: Number of examples in a batch.
      padded_shapes: As in `Dataset.padded_batch`.
      padding_values: As in `Dataset.padded_batch`.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.padded_batch(
        batch_size, padded_shapes, padding_values, drop_remainder=True
    )


def sloppy_interleave(
    map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1
) -> _Transformation:
    """Interleaves datasets in an order that may differ between runs.

    It equals `parallel_interleave(sloppy=True)`.

    Args:
      map_func: Function from an element to a Dataset.
      cycle_length: Number of Datasets that are read at the same time.
      block_length: Number of consecutive elements from one Dataset.

    Returns:
      A function for `Dataset.apply`.
    """
    return parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


def sliding_window_batch(
    window_size: int,
    stride: int | None = None,
    window_shift: int | None = None,
    window_stride: int = 1,
) -> _Transformation:
    """Combines elements into overlapping batches.

    For example, `window_size=3` turns 0, 1, 2, 3 into [0, 1, 2] and [1, 2, 3].

    Args:
      window_size: Number of elements in a batch.
      stride: The older name of `window_shift`.
      window_shift: Number of elements between the starts of two batches. None is 1.
      window_stride: Number of input elements between two elements of a batch.

    Returns:
      A function for `Dataset.apply`.

    Raises:
      ValueError: `stride` and `window_shift` are both set.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = next((size for size in (stride, window_shift) if size is not None), 1)

    def join(*windows: Any) -> tf.data.Dataset:
        element = windows[0] if len(windows) == 1 else windows
        return _zip_element(element).batch(window_size, drop_remainder=True)

    def apply(dataset: tf.data.Dataset) -> tf.data.Dataset:
        windows = dataset.window(window_size, shift, window_stride, drop_remainder=True)
        return windows.flat_map(join)

    return apply


def _zip_element(element: Any) -> tf.data.Dataset:
    return element if isinstance(element, tf.data.Dataset) else tf.data.Dataset.zip(element)


def assert_element_shape(expected_shapes: Any) -> _Transformation:
    """Checks the shapes of elements, and sets them as static shapes.

    Args:
      expected_shapes: Shapes in the nested structure of the elements. Unknown sizes are None.

    Returns:
      A function for `Dataset.apply`.
    """
    shapes = [
        tf.TensorShape(shape)
        for shape in tf.nest.flatten(
            tf.nest.map_structure(tf.TensorShape, expected_shapes, expand_composites=False)
        )
    ]

    def check(*element: Any) -> Any:
        tensors = tf.nest.flatten(element)
        components = [
            tf.ensure_shape(tensor, shape) for tensor, shape in zip(tensors, shapes, strict=True)
        ]
        # `map` passes the components of a tuple as separate arguments, and a single element alone.
        structure = tf.nest.pack_sequence_as(element, components)
        return structure[0] if len(structure) == 1 else structure

    return lambda dataset: dataset.map(check)


def reduce_dataset(dataset: tf.data.Dataset, reducer: Any) -> Any:
    """Reduces a Dataset to one value.

    Args:
      dataset: The Dataset.
      reducer: A `Reducer`.

    Returns:
      The value.

    Raises:
      TypeError: `reducer` is not a `Reducer`.
    """
    if not isinstance(reducer, Reducer):
        raise TypeError(f"reducer must be a Reducer, and is {type(reducer)}.")
    result = dataset.apply(group_by_reducer(lambda *_: tf.constant(0, tf.int64), reducer))
    return get_single_element(result)


def read_batch_features(
    file_pattern: Any,
    batch_size: int,
    features: Mapping[str, Any],
    reader: Any = tf1.data.TFRecordDataset,
    reader_args: Any = None,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    capacity: int = 10000,
) -> dict[str, Any]:
    """Reads and parses files of tf.Example.

    Args:
      file_pattern: Files, or patterns of files.
      batch_size: Number of examples in a batch.
      features: Features of tf.io, such as FixedLenFeature, by name.
      reader: Function from files to a Dataset of serialized examples.
      reader_args: Additional arguments of `reader`.
      randomize_input: If true, shuffles in a buffer of `capacity` examples.
      num_epochs: Number of times that the files are read. None repeats forever.
      capacity: Size of the shuffle buffer, in examples.

    Returns:
      Tensors by feature name.
    """
    dataset = make_batched_features_dataset(
        file_pattern,
        batch_size,
        features,
        reader=reader,
        reader_args=reader_args,
        shuffle=randomize_input,
        num_epochs=num_epochs,
        shuffle_buffer_size=capacity,
    )
    return tf1.data.make_one_shot_iterator(dataset).get_next()


__getattr__ = _missing.attribute_of("data")
