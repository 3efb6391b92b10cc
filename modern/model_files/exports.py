"""Exported models in folders that are named by the time, as a model server looks for them.

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
    """Returns a folder that is not there yet: the seconds since 1970, as an Estimator named it.

    Args:
      base: Where it is to be; made, if it is not there.
    """
    os.makedirs(base, exist_ok=True)
    stamp = int(time.time())
    while os.path.exists(os.path.join(base, str(stamp))):
        stamp += 1
    return os.path.join(base, str(stamp))


@contextlib.contextmanager
def whole(path: str) -> Iterator[str]:
    """Gives the path of a folder to write instead; it takes its place, or nothing is left of it.

    Args:
      path: Of the folder, which is not there yet.

    Raises:
      OSError: It cannot be written, or has come to be there meanwhile.
    """
    folder, name = os.path.split(path.rstrip("/"))
    temporary = os.path.join(folder, f".{name}.writing")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        yield temporary
        os.rename(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
