"""Tests that a value that a program changes is not read as a constant."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

PROGRAM = """\
from legacy import estimator
import tensorflow.compat.v1 as tf
NAMES = ["a", "b"]
{module}
def columns():
    return [tf.feature_column.numeric_column(name) for name in NAMES]

def main():
    {call}
    job = estimator.DNNClassifier([5], columns())
    job.train(lambda: tf.data.Dataset.from_tensors(({{"a": [1.0], "b": [2.0]}}, [0])))

main()
"""


def _text(module="", call="pass", **facts):
    program = PROGRAM.format(module=module, call=call)
    plan = tools.plan(api="v1", **facts)
    return fixed_point.rewrite(program, rules.all_rules("modern"), unsafe=True, plan=plan).text


def _is_read(text):
    return "def build_model" in text and '"b": tf_keras.Input' in text


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"call": "print(globals()['NAMES'], len(NAMES))"},
        {"call": "globals()['OTHER'] = 1"},
        {"module": "import other\nother.SIZE = 3"},
        {"module": "def show(x):\n    print(x)\n", "call": "show(NAMES)"},
        {"module": "def add(a, /, b):\n    b.append('c')\n", "call": "add(NAMES, [])"},
        {"changed_elsewhere": frozenset(["NAMES", "@SIZE"])},
    ],
)
def test_a_constant_is_read(parts):
    assert _is_read(_text(**parts))


GLOBAL = "def change():\n    global NAMES\n    NAMES = ['a']\n"


@pytest.mark.parametrize(
    "parts",
    [
        {"module": GLOBAL, "call": "change()"},
        {"module": GLOBAL.replace("= ['a']", "+= ['c']"), "call": "change()"},
        {"call": "globals()['NAMES'] = ['a']"},
        {"call": "globals().update(NAMES=['a'])"},
        {"call": "names = globals(); names['NAMES'] = ['a']"},
        {"module": "import sys", "call": "setattr(sys.modules[__name__], 'NAMES', ['a'])"},
        {"module": "import __main__", "call": "__main__.NAMES = ['a']"},
        {"module": "vars()['NAMES'] = ['a']"},
        {"call": "exec('NAMES = [1]', globals())"},
        {"call": "NAMES.append('c')"},
        {"call": "NAMES[:] = ['a']"},
        {"call": "del NAMES[0]"},
        {"call": "names = NAMES; names.append('c')"},
        {"module": "def add(x):\n    x.append('c')\n", "call": "add(NAMES)"},
        {"module": "def add(*, x):\n    x.append('c')\n", "call": "add(x=NAMES)"},
        {"module": "def add(a, /, x):\n    x.append('c')\n", "call": "add(0, NAMES)"},
        {"module": "def add(x, /):\n    x.append('c')\n", "call": "add(NAMES)"},
        {"module": "def add(*xs):\n    xs[0].append('c')\n", "call": "add(NAMES)"},
        {"module": "def add(**xs):\n    xs['x'].append('c')\n", "call": "add(x=NAMES)"},
        {"module": "def add(a, x):\n    x.append('c')\n", "call": "add(*[0], NAMES)"},
        {"module": "add = lambda x: x.append('c')\n", "call": "add(NAMES)"},
        {"changed_elsewhere": frozenset(["@NAMES"])},
        {"changed_elsewhere": frozenset(["@*"])},
    ],
)
def test_a_value_that_changes_is_not_read(parts):
    assert not _is_read(_text(**parts))
