"""Tests for Estimators in statements that no path reaches."""

import textwrap

import pytest

from tests.migrate.rewrite import tools

RULE = tools.rule("modern", "unreachable_code")
HEAD = "from legacy import estimator as e\n\nkey = e.ModeKeys.TRAIN\n\n"
JOB = "job = e.Estimator(f, 'a')"


def _function(*lines):
    return f"{HEAD}def run(f, job=None):\n" + textwrap.indent("\n".join(lines), "    ") + "\n"


REMOVED = {
    "after a return": ((f"return f\n\n{JOB}\njob.train(f)",), ("return f",)),
    "after an error": ((f"raise E\n{JOB}",), ("raise E",)),
    "an if": ((f"if False:\n    {JOB}\nreturn f",), ("return f",)),
    "a loop": ((f"for x in f:\n    continue\n    {JOB}",), ("for x in f:\n    continue",)),
    "new names": (("return f\nwide = e.Estimator(f)\nwide.train(f)",), ("return f",)),
}


@pytest.mark.parametrize("name", REMOVED)
def test_statements_with_estimators_are_removed(name):
    before, after = REMOVED[name]
    tools.check_transformed(_function(*before), _function(*after), RULE)


KEPT = {
    "no estimator": "return f\nprint(f)",
    "reachable": f"if f:\n    return f\n{JOB}",
    "an alternative": f"if 0:\n    {JOB}\nelse:\n    job = f\nreturn job",
    "the only statement": f"if 0:\n    {JOB}",
    "a generator": f"return f\n{JOB}\nyield job",
    "a local name": "print(wide)\nreturn f\nwide = e.Estimator(f)",
    "a local name of an inner function": "g = lambda: wide\nreturn g\nwide = e.Estimator(f)",
    "a name of a comprehension": "print([w for w in f], w)\nreturn f\nw = e.Estimator(f)",
    "a declaration": f"return f\nglobal wide\n{JOB}",
    "a class": f"class A:\n    wide = 1\nreturn A, wide\nwide = 2\n{JOB}",
    "a shared line": f"return f\nprint(1); {JOB}",
}


@pytest.mark.parametrize("name", KEPT)
def test_other_statements_stay(name):
    tools.check_noop(_function(KEPT[name]), RULE)


def test_statements_of_the_module_stay():
    tools.check_noop(f"{HEAD}if 0:\n    {JOB}\nprint(1)\n", RULE)
