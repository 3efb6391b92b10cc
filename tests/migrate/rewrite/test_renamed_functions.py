"""Tests for the table of renamed functions: each pair is the same function under two APIs."""

import json
import os
import subprocess
import sys

from migrate.rewrite.rules.modern import renamed_functions
from tests.migrate.rewrite import tools

CODE = """
import inspect, json, sys
import tensorflow as tf

def get(found, name):
    for part in name.split("."):
        found = getattr(found, part)
    return found

def core(function):
    # What is behind the decorators that let other libraries take a call over.
    while True:
        inner = getattr(function, "__wrapped__", None)
        if inner is None and hasattr(function, "_tf_decorator"):
            inner = function._tf_decorator.decorated_target
        if inner is None or inner is function:
            return function
        function = inner

different = []
for old, new in json.load(sys.stdin).items():
    functions = [get(tf.compat.v1, old), get(tf.compat.v1, new), get(tf, new)]
    first, second, third = functions
    if len({id(core(f)) for f in functions}) > 1 and not first == second == third:
        different.append(old)
print(json.dumps(different))
"""


def test_each_pair_is_one_function():
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        input=json.dumps(renamed_functions.new_names()),
        capture_output=True,
        text=True,
        env={**os.environ, **tools.ENVIRONMENT, "TF_USE_LEGACY_KERAS": "1"},
        check=True,
    )
    different = json.loads(done.stdout.splitlines()[-1])
    assert [name for name in different if not name.startswith("gfile.")] == []
