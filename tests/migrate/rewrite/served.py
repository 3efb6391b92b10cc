"""Reports pairs of names whose new place is not the object that legacy serves under the old name.

python -m tests.migrate.rewrite.served < pairs_of_names.json
"""

import importlib
import json
import sys
import types

import legacy

legacy.install(api="v1")

import tensorflow as tf  # noqa: E402

from legacy.shim import two_sided  # noqa: E402

MISSING = object()
PROGRAM = two_sided.program_side(tf)
REAL = types.SimpleNamespace(compat=types.SimpleNamespace(v1=tf.compat.v1), python=tf.python)


def walk(found, names):
    for name in names:
        try:
            found = getattr(found, name)
        except (AttributeError, ImportError):
            return MISSING
    return found


def looked_up(full_name, top):
    """Returns the object of a full name, by attributes of `top` or else by importing modules."""
    names = full_name.split(".")
    found = walk(top, names[1:]) if names[0] == "tensorflow" else MISSING
    # In the order of `from a.b import c`: an attribute first, then a module.
    for count in (*range(len(names) - 1, 1, -1), len(names)) if found is MISSING else ():
        try:
            module = importlib.import_module(".".join(names[:count]))
        except ImportError:
            continue
        found = walk(module, names[count:])
        if found is not MISSING:
            return found
    return found


def difference(old, new):
    served = looked_up(old, PROGRAM)
    found = looked_up(new, REAL) if new else MISSING
    if isinstance(served, types.ModuleType) and isinstance(found, types.ModuleType):
        return None
    if served is found or (served == found and served is not MISSING):
        return None
    return [old, new, repr(served)[:80], repr(found)[:80]]


if __name__ == "__main__":
    pairs = json.load(sys.stdin)
    print(json.dumps([d for d in (difference(*pair) for pair in pairs) if d]))
