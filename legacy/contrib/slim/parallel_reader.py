"""tf.contrib.slim.parallel_reader: records of files, read by several readers into one queue.

key, record = parallel_reader.parallel_read("/data/*.tfrecord", tf.compat.v1.TFRecordReader)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class ParallelReader(tf1.ReaderBase):
    """Readers whose records go through a queue."""

    def __init__(
        self,
        reader_class: Any,
        common_queue: Any,
        num_readers: int = 4,
        reader_kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Makes the readers.

        Args:
          reader_class: A class such as `tf.compat.v1.TFRecordReader`.
          common_queue: A queue of two strings: key and record.
          num_readers: How many read at once.
          reader_kwargs: Arguments of the class.

        Raises:
          TypeError: The queue is for something else.
        """
        # The original's base is not told of a reader of its own either.
        if [dtype.base_dtype for dtype in common_queue.dtypes] != [tf.string, tf.string]:
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        """How many read at once."""
        return len(self._readers)

    @property
    def common_queue(self) -> Any:
        """The queue of records."""
        return self._common_queue

    def read(self, queue: Any, name: str | None = None) -> list[tf.Tensor]:
        """Returns the key and the record of a sample; adds what fills the queue.

        Args:
          queue: A queue of file names.
          name: The operation's name.
        """
        self._fill_from(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: int, name: str | None = None) -> list[tf.Tensor]:
        """Returns keys and records of several samples; fewer at the end.

        Args:
          queue: A queue of file names.
          num_records: How many.
          name: The operation's name.
        """
        self._fill_from(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _fill_from(self, queue: Any) -> None:
        fill = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        tf1.train.add_queue_runner(tf1.train.QueueRunner(self._common_queue, fill))

    def num_records_produced(self, name: str | None = None) -> tf.Tensor:
        """Returns how many records have been read."""
        return tf.add_n([each.num_records_produced() for each in self._readers], name=name)

    def num_work_units_completed(self, name: str | None = None) -> tf.Tensor:
        """Returns how many files have been read."""
        return tf.add_n([each.num_work_units_completed() for each in self._readers], name=name)


def parallel_read(
    data_sources: Any,
    reader_class: Any,
    num_epochs: int | None = None,
    num_readers: int = 4,
    reader_kwargs: dict[str, Any] | None = None,
    shuffle: bool = True,
    dtypes: Any = None,
    capacity: int = 256,
    min_after_dequeue: int = 128,
    seed: int | None = None,
    scope: str | None = None,
) -> list[tf.Tensor]:
    """Reads records of files, by queues.

    Args:
      data_sources: Files, or patterns of them, in lists or not.
      reader_class: A class such as `tf.compat.v1.TFRecordReader`.
      num_epochs: How often all is read; None is without end. It is counted in a local variable.
      num_readers: How many read at once.
      reader_kwargs: Arguments of the class.
      shuffle: Whether files and records are shuffled.
      dtypes: The types of keys and records: strings.
      capacity: How many records wait.
      min_after_dequeue: How many must wait, so that they are well shuffled.
      seed: The random seed.
      scope: The name scope.

    Returns:
      A key, which says where the record is from, and the record.

    Raises:
      ValueError: There are no files.
    """
    files = get_data_files(data_sources)
    with tf1.name_scope(scope, "parallel_read"):
        names = tf1.train.string_input_producer(
            files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        dtypes = dtypes or [tf.string, tf.string]
        if shuffle:
            queue = tf.queue.RandomShuffleQueue(
                capacity, min_after_dequeue, dtypes, seed=seed, name="common_queue"
            )
        else:
            queue = tf.queue.FIFOQueue(capacity, dtypes, name="common_queue")
        share = tf.cast(queue.size(), tf.float32) * (1.0 / capacity)
        tf1.summary.scalar(f"fraction_of_{capacity}_full", share)
        return ParallelReader(reader_class, queue, num_readers, reader_kwargs).read(names)


def single_pass_read(
    data_sources: Any,
    reader_class: Any,
    reader_kwargs: dict[str, Any] | None = None,
    scope: str | None = None,
) -> Any:
    """Reads records of files once, in their order; arguments as of `parallel_read`."""
    files = get_data_files(data_sources)
    with tf1.name_scope(scope, "single_pass_read"):
        names = tf1.train.string_input_producer(
            files, num_epochs=1, shuffle=False, capacity=1, name="filenames"
        )
        return reader_class(**(reader_kwargs or {})).read(names)


def get_data_files(data_sources: Any) -> list[str]:
    """Returns the files that are meant by names and patterns.

    Args:
      data_sources: A name, a pattern (with *, ? or [), or a list of them.

    Raises:
      ValueError: There are none.
    """
    if isinstance(data_sources, (list, tuple)):
        files = [file for source in data_sources for file in get_data_files(source)]
    elif any(sign in data_sources for sign in "*?["):
        files = tf.io.gfile.glob(data_sources)
    else:
        files = [data_sources]
    if not files:
        raise ValueError(f"No data files found in {data_sources}")
    return files
