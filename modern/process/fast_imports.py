"""Large imports without garbage collections, which find nothing and take half of TensorFlow's.

    from modern.process import fast_imports

    with fast_imports.held():
        import tensorflow as tf

TensorFlow's modules make some 600,000 objects that live as long as the process. Python's collector
looks through all of them again and again while they are made, and at each full collection after.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Collects nothing while the block runs, and leaves what it made out of later collections.

    Where the collector is off already, nothing changes.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
