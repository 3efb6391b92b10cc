"""Words for the errors of --autoshard=file, which gives each worker files of its own.

>>> import tensorflow as tf
>>> try:
...     with errors_in_words(workers=2):
...         raise tf.errors.InvalidArgumentError(None, None, "... the dataset only has 1 file(s)")
... except ValueError as error:
...     print(error)
--autoshard=file gives each of the 2 workers files of its own, and the input_fn reads only 1: use \
more files, or --autoshard=data.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import tensorflow as tf

from modern.process import cli

# Texts of TensorFlow's auto_shard.cc.
_FEW_FILES = re.compile(r"the dataset only has (\d+) file\(s\)")
_NO_FILES = "unshardable source dataset"


@contextlib.contextmanager
def errors_in_words(workers: int) -> Iterator[None]:
    """Explains the errors of TensorFlow's sharding by files that the block raises.

    Args:
      workers: The number of workers.

    Raises:
      UsageError: The data have fewer files than there are workers, or none.
    """
    try:
        yield
    except tf.errors.OpError as error:
        few = _FEW_FILES.search(str(error))
        if not few and _NO_FILES not in str(error):
            raise
        found = f"reads only {few[1]}: use more files, or" if few else "reads no files: use"
        raise cli.UsageError(
            f"--autoshard=file gives each of the {workers} workers files of its own, and the "
            f"input_fn {found} --autoshard=data."
        ) from error
