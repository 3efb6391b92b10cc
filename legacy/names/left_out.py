"""Names that are left out, with the reason and the replacement, for errors and for --report.

>>> reason_for("tf.contrib.tensorrt.create_inference_graph")[0][:8]
'TensorRT'

The lists are data: `legacy/left_out.json` with full names, `legacy/contrib/left_out.json` with
names below tf.contrib. A row applies to its names and to all names below them.
"""

from __future__ import annotations

import functools
import json
import os

from legacy.names import tables

_LEGACY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_UNLISTED = (
    "legacy does not have it. Where it was plain Python on public TensorFlow names, it can be "
    "copied into the program from the source of the TensorFlow that had it"
)
_PRIVATE = (
    "it is private to the original tf.estimator. With it installed (pip install --no-deps "
    "tensorflow-estimator==2.15.0), --engine=original (install(engine='original')) has it"
)
_LEFT_TENSORFLOW = ("tf.contrib.", "tensorflow_estimator.", "tf.python.estimator.")
_OTHER_API = {
    "v1": "{name} is of TensorFlow 1, and this program runs as one of TensorFlow 2. Run it with "
    "--api=v1 (install(api='v1')), or look for the name in tf.compat.v1",
    "v2": "{name} is of TensorFlow 2, and this program runs as one of TensorFlow 1. If it is "
    "written for TensorFlow 2, run it with --api=v2 (install(api='v2'))",
}


class NotProvidedError(AttributeError):
    """Error for using a name of old TensorFlow that legacy does not provide."""


class NotProvidedImportError(ModuleNotFoundError):
    """Error for importing a module of old TensorFlow that legacy does not provide."""


def reason_for(name: str) -> tuple[str, str] | None:
    """Looks up why a name is left out.

    Args:
      name: Its public name, such as "tf.contrib.tensorrt.create_inference_graph".

    Returns:
      (reason, replacement). None if neither the name nor any of its parents is listed.
    """
    while name:
        if name in rows():
            return rows()[name][:2]
        name = name.rpartition(".")[0]
    return None


def is_gone(name: str) -> bool:
    """Returns whether nothing can provide a name, because TensorFlow's core removed it.

    Args:
      name: Its public name.
    """
    while name:
        if name in rows():
            return rows()[name][2]
        name = name.rpartition(".")[0]
    return False


@functools.lru_cache(maxsize=1)
def rows() -> dict[str, tuple[str, str, bool]]:
    """Returns all rows: public name to (reason, replacement, True if no form of it is left)."""
    all_rows: dict[str, tuple[str, str, bool]] = {}
    for file, prefix in (("contrib/left_out.json", "tf.contrib."), ("left_out.json", "")):
        with open(os.path.join(_LEGACY, file), encoding="utf-8") as text:
            for row in json.load(text):
                values = row["reason"], row["instead"], row.get("gone", False)
                all_rows.update((prefix + name, values) for name in row["names"])
    return all_rows


def public_name(module_path: str) -> str:
    """Returns the usual spelling of a name, such as tf.contrib.x for tensorflow.contrib.x."""
    path = module_path.removesuffix(".__init__")
    if path == "tensorflow" or path.startswith("tensorflow."):
        path = "tf" + path.removeprefix("tensorflow")
    for prefix in ("tf.compat.v1.estimator", "tf.compat.v2.estimator"):
        if path.startswith(prefix):
            return "tf.estimator" + path.removeprefix(prefix)
    return path


def message(name: str) -> str:
    """Returns the error message for a name that is not provided, with the reason and a replacement.

    Args:
      name: Its public name.
    """
    row = reason_for(name)
    is_private = name.startswith(("tensorflow_estimator.", "tf.python.estimator."))
    why = _sentence(*row) if row else _PRIVATE if is_private else _UNLISTED
    return f"{name} is not provided: {why}."


def _sentence(reason: str, instead: str) -> str:
    return f"{reason.rstrip('.')}; {instead.rstrip('.')}"


def attribute_error(
    full_name: str, cause: AttributeError | None = None, api: str = "v1"
) -> AttributeError:
    """Creates the error for a name that a served module does not have.

    Args:
      full_name: Name of the module, a dot, and the missing attribute.
      cause: Error raised by the place that should provide the name.
      api: API that the program is written for: "v1" or "v2".

    Returns:
      A NotProvidedError if the name is listed or belonged to TensorFlow. Otherwise an
      AttributeError with Python's usual message.
    """
    name = public_name(full_name)
    module, _, attribute = full_name.rpartition(".")
    plain = f"module {module!r} has no attribute {attribute!r}"
    other_api = {"v1": "v2", "v2": "v1"}[api]
    if reason_for(name):
        return NotProvidedError(message(name))
    if cause is not None and "is not provided" in str(cause):
        return NotProvidedError(str(cause))
    if name in tables.names_of(other_api):
        return NotProvidedError(f"{plain}: {_OTHER_API[other_api].format(name=name)}.")
    if name in tables.names_of(api) or name.startswith(_LEFT_TENSORFLOW):
        return NotProvidedError(message(name))
    return AttributeError(plain)


def import_error(full_name: str, api: str = "v1") -> ImportError:
    """Creates the error for an import that is not provided.

    Args:
      full_name: Full name of the module, or of the name imported from one.
      api: API that the program is written for: "v1" or "v2".
    """
    name = public_name(full_name)
    # The error is created without `name=full_name`. With it, `from a import b` would take the error
    # for a missing attribute of `a`, and hide the message.
    if api == "v2" and name.startswith(("tf.contrib", "tf.examples")):
        return NotProvidedImportError(
            f"No module named {full_name!r}: {_OTHER_API['v1'].format(name=name)}."
        )
    return NotProvidedImportError(message(name))
