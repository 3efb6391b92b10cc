"""Folders of exported models, whose names are timestamps, as a model server expects them.

>>> import os, tempfile
>>> from modern.model_files import exports
>>> base = tempfile.mkdtemp()
>>> with exports.whole(exports.new_version(base)) as folder:
...     os.makedirs(folder)
>>> len(os.listdir(base))
1
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator


def new_version(base: str) -> str:
    """Returns the path of a new folder, named by the seconds since 1970, as an Estimator named it.

    Args:
      base: The parent folder. It is created if it does not exist.
    """
    os.makedirs(base, exist_ok=True)
    stamp = int(time.time())
    # Two exports may fall into the same second.
    while os.path.exists(os.path.join(base, str(stamp))):
        stamp += 1
    return os.path.join(base, str(stamp))


@contextlib.contextmanager
def whole(path: str) -> Iterator[str]:
    """Yields a temporary path to write to, and renames it to `path` at the end of the block.

    If the block raises an error, nothing is left on disk.

    Args:
      path: The final path of the folder, which does not exist yet.

    Raises:
      OSError: The folder cannot be written, or has been created in the meantime.
    """
    folder, name = os.path.split(path.rstrip("/"))
    temporary = os.path.join(folder, f".{name}.writing")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        yield temporary
        os.rename(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
