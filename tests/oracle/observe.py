"""Runs the oracle's programs in this process and prints their facts as JSON.

    python -m tests.oracle.observe --api=v2 --engine=installed linear    # tf.estimator itself
    python -m tests.oracle.observe --api=v1 --engine=ours                # legacy.estimator
    python -m tests.oracle.observe --api=v2 --engine=original            # by legacy.original
    python -m tests.oracle.observe --api=contrib --engine=ours           # by legacy.install

A program receives the estimator module of its API. A program of "contrib" receives tf itself, as in
TensorFlow 1.15.

This module also runs on TensorFlow 2.15 (engine installed) and 1.15, so its syntax is that of
Python 3.7.
"""

import argparse
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import shutil
import sys
import tempfile
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # oneDNN adds in an order that depends on the version.


def program_names(api):
    """Returns the names of the programs that are written for an API."""
    from tests.oracle import programs

    names = sorted(module.name for module in pkgutil.iter_modules(programs.__path__))
    return [name for name in names if api in _program(name).APIS]


def _program(name):
    return importlib.import_module("tests.oracle.programs." + name)


def api_module(api, engine):
    """Returns the module for a program: tf, tf.estimator or tf.compat.v1.estimator of an engine."""
    if api == "contrib":
        if engine != "installed":
            importlib.import_module("legacy").install(api="v1", engine=engine)
        return importlib.import_module("tensorflow")
    if engine == "ours":
        return importlib.import_module(
            {"v1": "legacy.compat.v1.estimator", "v2": "legacy.estimator"}[api]
        )
    if engine == "original":
        return importlib.import_module("legacy.original").load(api)
    import tensorflow as tf

    return tf.compat.v1.estimator if api == "v1" else tf.estimator


def prepare(api):
    """Sets this process to the behavior of an API."""
    import tensorflow as tf

    tf.compat.v1.logging.set_verbosity("ERROR")
    if api == "v1":
        tf.compat.v1.disable_v2_behavior()


def surroundings(api):
    """Returns the context in which a program of an API runs."""
    import tensorflow as tf

    return contextlib.nullcontext() if api == "v2" else tf.Graph().as_default()


def observe(api, engine, names):
    """Returns the facts of each program by name. If one raises, its only fact is the traceback."""
    gc.disable()  # Imported modules contain no garbage, so collections would only cost time.
    module = api_module(api, engine)
    gc.freeze()
    gc.enable()
    gc.set_threshold(100000, 20, 20)  # Graphs are large, and live as long as their program.
    prepare(api)
    facts = {}
    for name in names or program_names(api):
        folder, started = tempfile.mkdtemp(prefix="oracle_"), time.time()
        try:
            with surroundings(api):
                facts[name] = _program(name).run(module, folder)
        except Exception:
            facts[name] = {"raised": traceback.format_exc()}
        finally:
            shutil.rmtree(folder)
        sys.stderr.write("{:.1f} s  {}/{}\n".format(time.time() - started, api, name))
    return facts


def main():
    """Reads the flags, runs the programs and prints or writes their facts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--api", choices=("v1", "v2", "contrib"), required=True)
    parser.add_argument("--engine", choices=("installed", "ours", "original"), required=True)
    parser.add_argument("--output", help="a file for the JSON; default: standard output")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    run = observe
    if arguments.engine == "ours":  # Others may run on a Python too old for `modern`.
        run = importlib.import_module("modern.process.frame_memory").with_room(observe)
    with contextlib.redirect_stdout(io.StringIO()):
        facts = run(arguments.api, arguments.engine, arguments.names)
    text = json.dumps(facts, indent=1, sort_keys=True) + "\n"
    if arguments.output:
        with open(arguments.output, "w") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
