"""Lists the private names of TensorFlow 1.15 that are the same objects as public ones.

    make oracle ARGS=none     # builds the environment of TensorFlow 1.15
    PYTHON_OF_1_15 -m tests.oracle.identities tests/legacy/data/identities.json

Libraries import private modules, and their tests compare the names with those of `tf`. The result
says, for example, that `tensorflow.python.layers.core.Dense is tf.layers.Dense`. Only modules that
define the object count. This module runs on Python 3.7.
"""

import inspect
import json
import sys
import types

_PACKAGES = ("tensorflow.python.", "tensorflow_estimator.python.")
_NOT_PUBLIC = ("core", "examples", "python", "raw_ops", "tools")


def public_names(tf):
    """Returns the functions and classes of the public API, and all their names, by id."""
    found, seen, waiting = {}, set(), [(tf, "tf"), (tf.contrib, "tf.contrib")]
    while waiting:
        module, path = waiting.pop(0)
        if id(module) in seen or path.count(".") > 6:
            continue
        seen.add(id(module))
        for name in sorted(set(dir(module)) - set(_NOT_PUBLIC)):
            value = None if name.startswith("_") else getattr(module, name, None)
            if isinstance(value, types.ModuleType) and _is_public(value.__name__):
                waiting.append((value, path + "." + name))
            elif inspect.isclass(value) or inspect.isfunction(value):
                found.setdefault(id(value), (value, []))[1].append(path + "." + name)
    return found


def _is_public(name):
    if not name.startswith("tensorflow"):
        return False
    return ".python." not in name or ".api." in name or ".contrib." in name


def identities(tf):
    """Returns the best public name of each private one, by module and name."""
    public, result = public_names(tf), {}
    for path, module in sorted(sys.modules.items()):
        path = path.replace("tensorflow_core", "tensorflow")
        is_generated = path.rpartition(".")[2].startswith("gen_") or ".api." in path
        if module is None or is_generated or not path.startswith(_PACKAGES):
            continue
        for name, value in sorted(vars(module).items()):
            known, names = public.get(id(value), (None, ()))
            defined = getattr(value, "__module__", "").replace("tensorflow_core", "tensorflow")
            if known is value and names and defined == path:
                result.setdefault(path, {})[name] = min(names, key=_preference)
    return result


def _preference(name):
    return "contrib" in name, "compat.v2" in name, "compat" in name, len(name), name


if __name__ == "__main__":
    import tensorflow

    with open(sys.argv[1], "w") as file:
        json.dump(identities(tensorflow), file, indent=0, sort_keys=True)
        file.write("\n")
