"""Lists the names of the Estimator era, and which of them legacy provides: migrate/scan/names.txt.

    python -m tests.oracle.era_names [--python=1.15.5=/path/to/its/bin/python]

TensorFlow 1.15 and 2.15 supply the names. This TensorFlow after `legacy.install` shows which ones
legacy provides. Each line is a name. A module has "/" after it. A name that legacy does not provide
has "-" before it.

The list has all public names of tf.contrib and tf.estimator. Of other public names it has those
that legacy does not provide, and of removed private modules (legacy/names/modules.txt) those that
legacy does provide. The code that walks TensorFlow also runs on Python 3.7.
"""

import argparse
import importlib
import os
import pkgutil
import subprocess
import sys
import types
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NAMES = os.path.join(ROOT, "migrate", "scan", "names.txt")
VERSIONS = ("1.15.5", "2.15.1")
MODULES = os.path.join(ROOT, "legacy", "names", "modules.txt")
LISTED = ("tf.contrib.", "tf.estimator.")
_FUTURE = ("absolute_import", "division", "print_function")
_ORIGINALS = ("tensorflow.contrib", "tensorflow_core.contrib", "tensorflow_estimator")


def walk():
    """Yields the public names of the installed TensorFlow, with "/" after those of modules."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    warnings.simplefilter("ignore")
    tf = importlib.import_module("tensorflow")
    seen = set()
    yield from _below(tf, "tf", seen)
    yield from _private()
    try:
        contrib = importlib.import_module("tensorflow.contrib")
    except ImportError:
        return
    for module in pkgutil.iter_modules(contrib.__path__):
        _imported("tensorflow.contrib." + module.name)
    yield from _below(contrib, "tf.contrib", seen)


def _imported(name):
    """Imports a module. Returns None if it does not exist or lacks a dependency."""
    try:
        return importlib.import_module(name)
    except Exception:
        sys.stderr.write("{} does not import\n".format(name))
        return None


def _private():
    """Yields the names that private modules define and that today's TensorFlow no longer has."""
    with open(MODULES) as file:
        modules = [line.strip() for line in file if ".python" in line]
    for path in modules:
        module = _imported(path)
        if module is None:
            continue
        public = "tf" + path[len("tensorflow") :] if path.startswith("tensorflow.") else path
        for name, value in sorted(vars(module).items()):
            home = getattr(value, "__module__", None) or ""
            constant = isinstance(value, (bool, int, float, str, tuple, frozenset))
            if name.startswith("__") or not (constant or home.startswith(_ORIGINALS)):
                continue
            yield public + "." + name


def _below(module, path, seen):
    for name in dir(module):
        full = path + "." + name
        if name.startswith("_") or name in _FUTURE or full in seen:
            continue
        try:
            value = getattr(module, name)
        except Exception:  # A lazy module that cannot be loaded.
            continue
        if not isinstance(value, types.ModuleType):
            seen.add(full)
            yield full
        elif _is_public(full, value.__name__):
            seen.add(full)
            yield full + "/"
            for found in _below(value, full, seen):
                yield found
        elif full.startswith("tf.contrib.") and "." not in name and ".python" not in full:
            yield full  # A module such as tf.contrib.framework.nest, with names from elsewhere.


def _is_public(full, module):
    if full.startswith(("tf.compat", "tf.raw_ops", "tf.python.", "tf.core")):
        return False
    if full.startswith("tf.contrib."):
        # Deeper modules are reached through their parents.
        return full.count(".") < 4 and ".python" not in full and module.startswith(_ORIGINALS)
    return "api" in module and full.count(".") < 7


def missing(names, api):
    """Returns the names that legacy does not provide to a program, and the names that it adds.

    Returns:
      The missing names, and with a "+" before them the names of earlier versions that legacy has.
    """
    from modern.process import quiet_import

    quiet_import.import_tensorflow()
    from legacy import installing
    from legacy.reading.used_names import Use
    from legacy.shim import report

    installing.install(api=api)
    uses = [Use(name.rstrip("/"), "", 1, False, False) for name in names]
    list(report.missing(uses))  # Imports the modules, as programs do before they use names.
    found = {use.name for use, _ in report.missing(uses)}
    if api == "v1":
        contrib = importlib.import_module("tensorflow.contrib")
        for module in pkgutil.iter_modules(importlib.import_module("legacy.contrib").__path__):
            _imported("tensorflow.contrib." + module.name)
        found.update("+" + name for name in _below(contrib, "tf.contrib", set()))
    return found


def lines_of(names_of, missing_of):
    """Returns the lines of the list.

    Args:
      names_of: Names in the TensorFlow of each API, by API.
      missing_of: Names that legacy does not provide, by API.
    """
    everything = sorted(set().union(*names_of.values()))
    found = []
    for name in everything:
        plain = name.rstrip("/")
        gone = all(plain in missing_of[api] for api in names_of if name in names_of[api])
        if ".python." in plain:
            found += [] if gone else [plain]
        elif gone or name.startswith(LISTED):
            found.append("-" * gone + name)
    return found


def of_ours(option, names):
    """Runs this module with an option in a new process, because an install is process-wide."""
    command = [sys.executable, "-m", "tests.oracle.era_names", option]
    return _output(command, input="\n".join(sorted(names)))


def _output(command, **options):
    clean = {name: value for name, value in os.environ.items() if name != "TF2_BEHAVIOR"}
    done = subprocess.run(
        command, cwd=ROOT, env=clean, stdout=subprocess.PIPE, check=True, text=True, **options
    )
    return set(done.stdout.split())


def main():
    """Walks TensorFlow, prints the missing names, or writes the list, as the flags say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--walk", action="store_true", help="print what this TensorFlow has")
    parser.add_argument("--missing", choices=("v1", "v2"), help="print which of stdin ours lacks")
    parser.add_argument("--python", action="append", default=[], metavar="VERSION=PYTHON")
    arguments = parser.parse_args()
    if arguments.walk:
        print("\n".join(walk()))
        return
    if arguments.missing:
        print("\n".join(sorted(missing(sys.stdin.read().split(), arguments.missing))))
        return
    from tests.oracle import record

    pythons = dict(given.split("=", 1) for given in arguments.python)
    names_of, missing_of = {}, {}
    for api, version in zip(("v1", "v2"), VERSIONS):
        python = pythons.get(version) or record.environment(version)
        names_of[api] = _output([python, os.path.abspath(__file__), "--walk"])
        asked = of_ours(f"--missing={api}", names_of[api])
        missing_of[api] = {name for name in asked if not name.startswith("+")}
        names_of[api] |= {name[1:] for name in asked - missing_of[api]}
    with open(NAMES, "w") as file:
        file.write("\n".join(lines_of(names_of, missing_of)) + "\n")


if __name__ == "__main__":
    main()
