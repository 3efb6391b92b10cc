"""The two helpers that carry the tests of rules, and the running of programs before and after."""

import ast
import json
import os
import pathlib
import subprocess
import sys
import textwrap

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.context import Context

ROOT = pathlib.Path(__file__).parents[3]
TO_LEGACY, TO_MODERN = rules.all_rules("legacy"), rules.all_rules("modern")
ENVIRONMENT = {
    "CUDA_VISIBLE_DEVICES": "-1",
    "PYTHONPATH": str(ROOT),
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
}


def rule(to, name):
    """Returns a rule, as a list of one."""
    return [rule for rule in rules.all_rules(to) if rule.name == name]


def check_noop(text, applied, *, unsafe=False, **context):
    """Checks that rules leave a program alone."""
    text = textwrap.dedent(text)
    ast.parse(text)
    outcome = fixed_point.rewrite(text, applied, unsafe=unsafe, context=Context(**context))
    assert outcome.text == text
    assert outcome.made == ()
    return outcome


def check_transformed(text, expected, applied, *, unsafe=False, **context):
    """Checks what rules make of a program, and that nothing is left to do then."""
    text, expected = textwrap.dedent(text), textwrap.dedent(expected)
    ast.parse(expected)
    outcome = fixed_point.rewrite(text, applied, unsafe=unsafe, context=Context(**context))
    assert outcome.text == expected
    again = fixed_point.rewrite(outcome.text, applied, unsafe=unsafe, context=Context(**context))
    assert again.text == expected
    return outcome


def run(programs, how):
    """Runs programs in one process and returns what their x, y and z are, or what they raised.

    Args:
      programs: Their texts.
      how: "old" or "old2", where `legacy.install` shows them TensorFlow 1 or 2; "graph", without it
        but with the behavior of TensorFlow 1; "eager"; or "plain", where nothing at all is done
        before them.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.migrate.rewrite.execute", how],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **ENVIRONMENT},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
