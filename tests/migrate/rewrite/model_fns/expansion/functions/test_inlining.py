"""Tests for helpers of a model_fn: their statements, names and refusals."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.expansion.functions.helpers import Depth


def _inlined(helper, call, depth=Depth.LATE):
    text = f"import tensorflow as tf\nx = 1\n\n{helper}\ndef model_fn(labels, out):\n    {call}\n"
    file = SourceFile(text)
    draft = inlining.inlined(Draft.of(file, file.tree.body[-1]), depth)
    lines = draft.file.text.split("\n")[draft.function.lineno :]
    origins = [draft.origin(draft.function.lineno + 1 + i) for i in range(len(lines))]
    return [line[4:] for line in lines if line], origins


STEP = "    step = tf.train.get_global_step()\n"


@pytest.mark.parametrize(
    ("helper", "call", "expected"),
    [
        (
            f"def f(a, rate=0.5):\n    '''Said.'''\n{STEP}    return a * rate, step  # both\n",
            "loss, b = f(out)",
            ["step = tf.train.get_global_step()", "loss = out * 0.5", "b = step"],
        ),
        (
            f"def f(step):\n{STEP}    return step\n",
            "step = f(labels)\n    return step + f(out)",
            [
                "step = labels",
                "step = tf.train.get_global_step()",
                "step_ = out",
                "step_ = tf.train.get_global_step()",
                "f_ = step_",
                "return step + f_",
            ],
        ),
        (
            f"def f(a):\n    if a is None:\n        return None\n{STEP}    return step\n",
            "b = f(out)",
            [
                "if out is None:",
                "    b = None",
                "else:",
                "    step = tf.train.get_global_step()",
                "    b = step",
            ],
        ),
        (
            f"def f(a):\n    if a is None:\n        return None\n{STEP}    return step\n",
            "return f(out)",
            [
                "if out is None:",
                "    return None",
                "step = tf.train.get_global_step()",
                "return step",
            ],
        ),
        (
            f"def f(a):\n{STEP}    return a + step\n",
            "return tf.identity(f(out + 1), name='b')",
            [
                "a = out + 1",
                "step = tf.train.get_global_step()",
                "f_ = a + step",
                "return tf.identity(f_, name='b')",
            ],
        ),
    ],
)
def test_statements_take_the_place_of_a_call(helper, call, expected):
    lines, _ = _inlined(helper, call)
    assert lines == expected


def test_lines_know_their_place_in_the_file():
    _, origins = _inlined(f"def f(a):\n{STEP}    return a * step\n", "b = f(out)")
    assert origins[:2] == [5, 9]


@pytest.mark.parametrize(
    ("helper", "reason"),
    [
        (f"def f(a):\n    global x\n{STEP}    x = step\n    return a\n", "state"),
        (f"def f(a):\n{STEP}    return f(a) + step\n", "too often"),
        (f"def f(*a):\n{STEP}    return a\n", "*args"),
        (f"def f(a):\n{STEP}    return a + labels\n", "labels has another meaning"),
        (
            f"def f(a):\n    if a:\n        if x:\n            return 1\n{STEP}    return step\n",
            "return early in line",
        ),
        (f"def f(a):\n{STEP}    class G:\n        pass\n    return G\n", "contains a class"),
        (
            f"def f(a):\n{STEP}    labels = 1\n    def g(labels):\n        return labels\n"
            "    return g(labels)\n",
            "labels has another meaning in a function of f",
        ),
    ],
)
def test_other_helpers_are_refused(helper, reason):
    with pytest.raises(NotUnderstood) as caught:
        _inlined(helper, "b = f(out)")
    assert reason in str(caught.value)


def test_a_refusal_has_the_line_of_the_original_file():
    helper = f"def f(a):\n{STEP}    return a\n\ndef g(a):\n{STEP}    return a\n"
    call = "c = f(out)\n    c = f(c)\n    b = g(out); c = 1"
    with pytest.raises(NotUnderstood, match="more than one statement in line 15"):
        _inlined(helper, call)


def test_helpers_without_losses_stay_functions():
    helper = "def f(a):\n    return tf.layers.dense(a, 1)\n"
    assert _inlined(helper, "b = f(out)")[0] == ["b = f(out)"]
    assert _inlined(helper, "b = f(out)", Depth.LAYERS)[0] == ["b = tf.layers.dense(out, 1)"]
    assert _inlined("def f(a):\n    return a + 1\n", "b = f(out)")[0] == ["b = f(out)"]


INNER = (
    "    def f(a, train):\n        b = tf.layers.dense(a, 3)\n"
    "        return tf.layers.dropout(b, training=train) if not train else b\n"
)


def test_a_loop_contains_the_statements_of_an_inner_function():
    lines, _ = _inlined(
        "",
        f"{INNER.strip()}\n    for i in range(2):\n        out = tf.abs(f(out, mode == 'train'))",
    )
    assert lines[3:] == [
        "for i in range(2):",
        "    b_ = tf.layers.dense(out, 3)",
        "    f_ = tf.layers.dropout(b_, training=mode == 'train') if not (mode == 'train') else b_",
        "    out = tf.abs(f_)",
    ]


@pytest.mark.parametrize(
    "value", ["lambda: a", "tf.map_fn(lambda b: a + b, labels)", "list(a + b for b in labels)"]
)
def test_a_function_with_a_closure_stays_in_a_loop(value):
    inner = f"def f(a):\n        b = tf.layers.dense(a, 3)\n        return {value}\n"
    lines, _ = _inlined("", f"{inner}    for i in range(2):\n        out = f(out)")
    assert lines[-1] == "    out = f(out)"


def test_a_function_of_the_module_stays_in_a_loop_at_first():
    helper = "def f(a):\n    return tf.layers.dense(a, 3)\n"
    loop = "for i in range(2):\n        out = f(out)"
    lines, _ = _inlined(helper, loop, Depth.LATE)
    assert lines[-1] == "    out = f(out)"


ADD = (
    "def add(metrics, name, fn, labels, family=None):\n    v = fn(labels, labels)\n"
    "    metrics[name] = v\n    if family is not None:\n        metrics[family] = v\n"
    "    elif name == 'a':\n        print(name)\n"
)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "add(out, 'a', tf.metrics.mean, labels, family='f')",
            ["v = tf.metrics.mean(labels, labels)", "out['a'] = v", "out['f'] = v"],
        ),
        (
            "add(out, 'a', tf.metrics.mean, labels)",
            ["v = tf.metrics.mean(labels, labels)", "out['a'] = v", "print('a')"],
        ),
        (
            "add(out, 'a', tf.metrics.mean, labels, x)",
            [
                "v = tf.metrics.mean(labels, labels)",
                "out['a'] = v",
                "if x is not None:",
                "    out[x] = v",
                "elif 'a' == 'a':",
                "    print('a')",
            ],
        ),
    ],
)
def test_a_helper_adds_to_the_dictionary_of_its_caller(call, expected):
    lines, _ = _inlined(ADD, call)
    assert lines == expected
