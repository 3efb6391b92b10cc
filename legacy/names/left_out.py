"""What is not provided, why, and what to do instead: looked up for errors and for --report.

>>> reason_for("tf.contrib.tensorrt.create_inference_graph")[0][:8]
'TensorRT'

The lists are data: `legacy/left_out.json` with full names, `legacy/contrib/left_out.json` with
names below tf.contrib. A row counts for all names below the ones it lists.
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
    """A name of old TensorFlow is used that legacy does not provide."""


class NotProvidedImportError(ModuleNotFoundError):
    """A module of old TensorFlow is imported that legacy does not provide."""


def reason_for(name: str) -> tuple[str, str] | None:
    """Looks up why a name is left out.

    Args:
      name: Its public name, such as "tf.contrib.tensorrt.create_inference_graph".

    Returns:
      (the reason, what to do instead); None where neither it nor what it is below is listed.
    """
    while name:
        if name in rows():
            return rows()[name][:2]
        name = name.rpartition(".")[0]
    return None


def is_gone(name: str) -> bool:
    """Says whether nothing can provide a name: it was a part of TensorFlow's core that was removed.

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
    """Returns all rows: public name to (reason, instead, whether it is gone in every form)."""
    found: dict[str, tuple[str, str, bool]] = {}
    for file, prefix in (("contrib/left_out.json", "tf.contrib."), ("left_out.json", "")):
        with open(os.path.join(_LEGACY, file), encoding="utf-8") as text:
            for row in json.load(text):
                values = row["reason"], row["instead"], row.get("gone", False)
                found.update((prefix + name, values) for name in row["names"])
    return found


def public_name(module_path: str) -> str:
    """Returns a name as people write it: tensorflow.contrib.x is tf.contrib.x."""
    path = module_path.removesuffix(".__init__")
    if path == "tensorflow" or path.startswith("tensorflow."):
        path = "tf" + path.removeprefix("tensorflow")
    for prefix in ("tf.compat.v1.estimator", "tf.compat.v2.estimator"):
        if path.startswith(prefix):
            return "tf.estimator" + path.removeprefix(prefix)
    return path


def message(name: str) -> str:
    """Says that a name is not provided, why, and what to do.

    Args:
      name: Its public name.
    """
    found = reason_for(name)
    private = name.startswith(("tensorflow_estimator.", "tf.python.estimator."))
    why = _sentence(*found) if found else _PRIVATE if private else _UNLISTED
    return f"{name} is not provided: {why}."


def _sentence(reason: str, instead: str) -> str:
    return f"{reason.rstrip('.')}; {instead.rstrip('.')}"


def attribute_error(
    full_name: str, cause: AttributeError | None = None, api: str = "v1"
) -> AttributeError:
    """Makes the error for a name that a served module does not have.

    Args:
      full_name: The module's name, a dot, and what was asked of it.
      cause: What the place raised that should have had it.
      api: The API that the program was taken to be written for: "v1" or "v2".

    Returns:
      A NotProvidedError where the name is listed or was TensorFlow's; otherwise what Python says.
    """
    name = public_name(full_name)
    module, _, attribute = full_name.rpartition(".")
    plain = f"module {module!r} has no attribute {attribute!r}"
    other = {"v1": "v2", "v2": "v1"}[api]
    if reason_for(name):
        return NotProvidedError(message(name))
    if cause is not None and "is not provided" in str(cause):
        return NotProvidedError(str(cause))
    if name in tables.names_of(other):
        return NotProvidedError(f"{plain}: {_OTHER_API[other].format(name=name)}.")
    if name in tables.names_of(api) or name.startswith(_LEFT_TENSORFLOW):
        return NotProvidedError(message(name))
    return AttributeError(plain)


def import_error(full_name: str, api: str = "v1") -> ImportError:
    """Makes the error for a module, or a name imported from one, that is not provided.

    Args:
      full_name: What was to be imported.
      api: The API that the program was taken to be written for: "v1" or "v2".
    """
    name = public_name(full_name)
    # Without the `name` of what was imported: where `from a import b` finds it there, it takes the
    # error for "a has no b", and hides it.
    if api == "v2" and name.startswith(("tf.contrib", "tf.examples")):
        return NotProvidedImportError(
            f"No module named {full_name!r}: {_OTHER_API['v1'].format(name=name)}."
        )
    return NotProvidedImportError(message(name))
