"""Helpers that check a rule's output, and that run programs before and after a rewrite."""

import ast
import json
import os
import pathlib
import subprocess
import sys
import textwrap

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.plan import FilePlan, ProgramFacts

ROOT = pathlib.Path(__file__).parents[3]
TO_LEGACY, TO_MODERN = rules.all_rules("legacy"), rules.all_rules("modern")
TO_KERAS3 = rules.all_rules("keras3")
ENVIRONMENT = {
    "CUDA_VISIBLE_DEVICES": "-1",
    "PYTHONPATH": str(ROOT),
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
}


def rule(to, name):
    """Returns the rule of a name, in a list."""
    return [rule for rule in rules.all_rules(to) if rule.name == name]


def plan(api="v1", names=(), runs_app=False, type_words=frozenset(), **facts):
    """Returns the plan for a file of a program of several files, with some facts."""
    program = ProgramFacts(
        api,
        frozenset(names),
        has_several_files=True,
        runs_app=runs_app,
        type_words=type_words,
    )
    return FilePlan(program, **facts)


def check_noop(text, applied, *, unsafe=False, **facts):
    """Checks that rules do not change a program, and returns the outcome."""
    text = textwrap.dedent(text)
    ast.parse(text)
    outcome = fixed_point.rewrite(text, applied, unsafe=unsafe, plan=plan(**facts))
    assert outcome.text == text
    assert outcome.changes == ()
    return outcome


def check_transformed(text, expected, applied, *, unsafe=False, **facts):
    """Checks the output of rules, and that a second run changes nothing."""
    text, expected = textwrap.dedent(text), textwrap.dedent(expected)
    ast.parse(expected)
    outcome = fixed_point.rewrite(text, applied, unsafe=unsafe, plan=plan(**facts))
    assert outcome.text == expected
    again = fixed_point.rewrite(outcome.text, applied, unsafe=unsafe, plan=plan(**facts))
    assert again.text == expected
    return outcome


def run(programs, how):
    """Runs programs in one process.

    Args:
      programs: Sources of the programs.
      how: Environment of the programs. "old" and "old2" call `legacy.install` for the API of
        TensorFlow 1 or 2. "graph" switches to TensorFlow 1 behavior without legacy. "eager" is
        TensorFlow 2. "keras3" and "plain" prepare nothing.

    Returns:
      For each program the values of its x, y and z, or its error under "raised".
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
