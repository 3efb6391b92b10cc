"""Imports without garbage collection, which takes half the time of TensorFlow's import.

    from modern.process import fast_imports

    with fast_imports.held():
        import tensorflow as tf

TensorFlow's modules create some 600,000 objects that live as long as the process. Python's
collector scans all of them repeatedly during the import, finds no garbage, and scans them at each
full collection afterwards.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Disables the collector while the block runs, and exempts new objects from later collections.

    Does nothing if the collector is disabled already.
    """
    # A program that runs without the collector must not find it enabled afterwards.
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        # Before `enable`. Otherwise the next allocation starts a collection that scans all new
        # objects.
        gc.freeze()
        gc.enable()
