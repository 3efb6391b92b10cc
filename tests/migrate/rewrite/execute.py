"""Runs the programs in a JSON list on standard input, and prints their results as JSON.

    python -m tests.migrate.rewrite.execute old|old2|graph|eager|keras3|plain < programs.json

The results are the final values of x, y and z. Each program starts with an empty graph and the same
seeds.
"""

import contextlib
import json
import os
import random
import sys
import tempfile
import warnings

from modern.process import frame_memory, quiet_import


def main(argv):
    warnings.simplefilter("ignore")
    programs = json.load(sys.stdin)
    if argv in (["old"], ["old2"]):
        import legacy

        legacy.install(api="v1" if argv == ["old"] else "v2")
    elif argv not in (["keras3"], ["plain"]):
        from legacy import keras_choice

        keras_choice.use_legacy_keras()  # The rule keras_choice adds this call to a program.
        quiet_import.import_tensorflow()
        if argv == ["graph"]:
            import tensorflow as tf

            tf.compat.v1.disable_v2_behavior()
    print(json.dumps([computed(text) for text in programs]))


def computed(text):
    import numpy as np
    from absl import app, flags, logging  # noqa: F401 - which define flags of their own

    random.seed(1)
    np.random.seed(1)
    known = set(flags.FLAGS)
    names = {"__name__": "program"}
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(sys.stderr):
                begin()
                exec(compile(text, "<program>", "exec"), names)
                return {name: plain(names[name]) for name in "xyz" if name in names}
        except Exception as error:
            return {"raised": f"{type(error).__name__}: {error}"}
        finally:
            os.chdir(before)
            for name in set(flags.FLAGS) - known:
                delattr(flags.FLAGS, name)


def begin():
    """Resets the graph and the seed of a program, if TensorFlow is imported."""
    tf = sys.modules.get("tensorflow")
    if tf is not None:
        tf.compat.v1.reset_default_graph()
        tf.compat.v1.set_random_seed(1)


def plain(value):
    """Converts a result to a value that JSON can represent."""
    tf = sys.modules.get("tensorflow")
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in sorted(value.items(), key=str)}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if tf is not None and isinstance(value, (tf.Tensor, tf.Variable)):
        if not tf.executing_eagerly():
            value = session(tf).run(value)
        return plain(value.numpy() if hasattr(value, "numpy") else value)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)


def session(tf):
    """Returns the graph's session, in which all variables were initialized."""
    graph = tf.compat.v1.get_default_graph()
    found = getattr(graph, "_tests_session", None)
    if found is None:
        v1 = tf.compat.v1
        found = v1.Session()
        found.run([v1.global_variables_initializer(), v1.local_variables_initializer()])
        graph._tests_session = found
    return found


if __name__ == "__main__":
    frame_memory.with_room(main)(sys.argv[1:])
