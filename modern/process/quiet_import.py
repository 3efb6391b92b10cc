"""Import of TensorFlow without its log messages.

    quiet_import.import_tensorflow()
    import tensorflow as tf

The call must come first, because the messages of an import cannot be hidden later.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator

from modern.process import chosen_keras, deferred_pandas, fast_imports, frame_memory, library_pages


def import_tensorflow(coordinates: bool = False) -> None:
    """Imports TensorFlow and the chosen Keras without log messages. Later imports find them loaded.

    The C++ runtime writes to descriptor 2 before any log level applies. So descriptor 2 is
    redirected until TensorFlow is loaded and has looked for devices. If that fails, the hidden
    messages are shown. With TF_CPP_MIN_LOG_LEVEL=0 nothing is hidden.

    The apps use one Keras, tf_keras unless `chosen_keras` has chosen Keras 3. Without
    TF_USE_LEGACY_KERAS, TensorFlow would also import Keras 3 for `tf.keras`.

    Args:
      coordinates: Whether a chief in a cluster with parameter servers is a coordinator here. Its
        C++ errors are not shown later, either. While a worker is lost, there are some hundred a
        minute, and Python reports the cause.
    """
    os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
    with fast_imports.held(), quiet("3" if coordinates and _is_chief_with_ps() else "2"):
        _load()


@contextlib.contextmanager
def quiet(level: str = "2") -> Iterator[None]:
    """Hides the messages of the C++ runtime while the block loads it.

    Args:
      level: The level of the messages that are hidden later, if TF_CPP_MIN_LOG_LEVEL is not set.
    """
    is_quiet = os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", level) != "0"
    with _aside() if is_quiet else contextlib.nullcontext():
        yield


def _is_chief_with_ps() -> bool:
    """Returns whether this task is the chief of a cluster with parameter servers.

    `tf_config.validate` refuses a wrong TF_CONFIG later.
    """
    try:
        config = json.loads(os.environ.get("TF_CONFIG", "{}"))
        return config["task"]["type"] in ("chief", "master") and "ps" in config["cluster"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return False


@frame_memory.with_room
def _load() -> None:
    if "tensorflow" in sys.modules:  # Checks of flags and of remote paths come first.
        _import()
        return
    library_pages.load_tensorflow()
    with deferred_pandas.held():
        _import()
    library_pages.release()


def _import() -> None:
    import tensorflow as tf

    chosen_keras.load()

    tf.config.list_physical_devices()


@contextlib.contextmanager
def _aside() -> Iterator[None]:
    """Hides the output of the block on descriptor 2, unless the block raises an error."""
    # Text in the buffer was printed before the block, so it must not be hidden with the block.
    sys.stderr.flush()
    stderr = os.dup(2)
    with tempfile.TemporaryFile() as aside:
        os.dup2(aside.fileno(), 2)
        try:
            yield
        except BaseException:
            aside.seek(0)
            os.write(stderr, aside.read())
            raise
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
