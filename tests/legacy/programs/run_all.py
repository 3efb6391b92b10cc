"""Runs old programs in one process, each in a folder of its own, and prints the facts as JSON.

    python -m legacy.run --api=v1 tests/legacy/programs/run_all.py > seen.json

What TensorFlow 1.15 did is recorded beside this file, by the same command without legacy:

    python tests/legacy/programs/run_all.py > tests/legacy/programs/recorded.json

So it keeps to what Python 3.7 can read, as the programs do.
"""

import contextlib
import io
import json
import os
import re
import runpy
import shutil
import sys
import tempfile

import tensorflow as tf

FOLDER = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ("regression", "wide_deep", "pairs_tpu", "words_head")
SAME = (  # What differs from run to run, or between versions of TensorFlow.
    (r"\d{10}(?=/|$)", "TIME"),
    (r"events\.out\.tfevents\..*", "events"),
    (r"\.data-\d+-of-\d+", ".data"),
)


def main():
    """Prints the facts of all programs."""
    tf.get_logger().setLevel("ERROR")
    print(json.dumps({name: facts_of(name) for name in PROGRAMS}, indent=1, sort_keys=True))


def facts_of(name):
    """Runs a program; returns what it printed, how it ended and what it left behind."""
    folder = tempfile.mkdtemp()
    before = os.getcwd()
    printed = io.StringIO()
    arguments, sys.argv = sys.argv, [name + ".py", "--model_dir=model"]
    os.chdir(folder)
    ended = None
    try:
        tf.compat.v1.reset_default_graph()
        with contextlib.redirect_stdout(printed):
            runpy.run_path(os.path.join(FOLDER, name + ".py"), run_name="__main__")
    except SystemExit as error:
        ended = error.code
    finally:
        sys.argv = arguments
        os.chdir(before)
    try:
        return {
            "printed": [json.loads(line) for line in printed.getvalue().splitlines()],
            "exit": ended,
            "files": files_in(folder),
            "variables": tf.train.list_variables(os.path.join(folder, "model")),
        }
    finally:
        shutil.rmtree(folder)


def files_in(folder):
    """Returns the paths of all files, without times and numbers of shards."""
    found = set()
    for where, _, files in os.walk(folder):
        for file in files:
            path = os.path.relpath(os.path.join(where, file), folder)
            for pattern, replacement in SAME:
                path = re.sub(pattern, replacement, path)
            found.add(path)
    return sorted(found)


if __name__ == "__main__":
    main()
