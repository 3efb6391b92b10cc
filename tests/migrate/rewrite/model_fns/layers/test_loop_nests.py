"""Tests for loops of which `__init__` repeats the structure to make their layers."""

import pytest

from tests.migrate.rewrite.model_fns import base_program

NESTED = "for i in range(2):\n        for j in range(3):\n            {}\n    out = net"
DENSE = "net = tf.layers.dense(net, 4)"


def class_of(text):
    """Returns the lines of the Keras model of a forward pass, without indents."""
    text = base_program.model_class((base_program.OUT, text))
    return [line.strip() for line in text.splitlines()]


def follow(lines, *expected):
    """Says whether lines contain other lines one after another."""
    return "\n".join(expected) in "\n".join(lines)


def test_layers_of_nested_loops_are_made_in_the_order_of_their_calls():
    lines = class_of(NESTED.format("net = tf.layers.dense(net, 4 + i)"))
    assert follow(
        lines,
        "self.dense = []",
        "for i in range(2):",
        "for j in range(3):",
        'self.dense.append(tf_keras.layers.Dense(4 + i, name=names("dense")))',
    )
    assert follow(
        lines,
        "dense = iter(self.dense)",
        "for i in range(2):",
        "for j in range(3):",
        "net = next(dense)(net)",
    )


def test_values_that_loops_compute_for_layers_are_computed_in_init_only():
    body = (
        "width = 4\n    for count in params['blocks']:\n        half = width // 2\n"
        "        for _ in range(count):\n            net = tf.layers.dense(net, half)\n"
        "        width *= 2\n    out = tf.layers.dense(net, width)"
    )
    lines = class_of(body)
    assert follow(lines, "width = 4", "self.dense = []", "for count in params['blocks']:")
    assert follow(lines, "for count in params['blocks']:", "half = width // 2")
    assert follow(lines, "width *= 2", "self.dense_1 = tf_keras.layers.Dense(width, name=names(")
    assert follow(lines, "for count in self.params['blocks']:", "for _ in range(count):")


def test_a_loop_may_compute_a_value_for_its_layers():
    lines = class_of(
        "for i in range(3):\n        n = 2**i\n        " + DENSE[:-2] + "n)\n    out = net"
    )
    assert follow(lines, "n = 2**i", "self.dense.append(tf_keras.layers.Dense(n, name=")
    assert follow(lines, "for i in range(3):", "net = next(dense)(net)")


def test_values_that_the_call_needs_are_computed_there_too():
    body = f"for i in range(3):\n        n = 2**i\n        {DENSE[:-2]}n) * n\n    out = net"
    lines = class_of(body)
    assert follow(lines, "for i in range(3):", "n = 2**i", "net = next(dense)(net) * n")


@pytest.mark.parametrize("loop", [NESTED, "for i in range(3):\n        {}\n    out = net"])
def test_only_rounds_that_call_a_layer_make_it(loop):
    indent = " " * (12 if loop is NESTED else 8)
    test = f"if i == 0:\n{indent}    {DENSE}\n{indent}else:\n{indent}    {DENSE}\n{indent}{DENSE}"
    lines = class_of(loop.format(test))
    assert follow(
        lines,
        "if i == 0:",
        'self.dense.append(tf_keras.layers.Dense(4, name=names("dense")))',
        "else:",
        'self.dense_1.append(tf_keras.layers.Dense(4, name=names("dense")))',
        'self.dense_2.append(tf_keras.layers.Dense(4, name=names("dense")))',
    )


def test_a_layer_of_one_mode_is_made_in_any_mode():
    mode = (
        "if mode == e.ModeKeys.TRAIN:\n                net = tf.layers.dropout(net, training=True)"
    )
    lines = class_of(NESTED.format(f"{mode}\n            {DENSE}"))
    assert follow(
        lines, "for j in range(3):", "self.dropout.append(tf_keras.layers.Dropout(rate=0.5))"
    )
    assert follow(lines, "if training:", "net = next(dropout)(net, training=True)")


def test_scopes_of_outer_loops_number_the_layers_of_inner_ones():
    body = (
        "for i in range(2):\n        with tf.variable_scope('s%d' % i):\n"
        "            for j in range(3):\n                net = tf.layers.dense(net, 4)\n"
        "                net = tf.layers.dense(net, 4)\n    out = net"
    )
    text = "\n".join(class_of(body))
    assert text.count("""name=names(('s%d' % i) + "/dense")""") == 2


def test_nested_loops_under_a_condition_exist_under_it():
    body = (
        "if params['deep']:\n        for i in range(2):\n            for j in range(3):\n"
        "                net = tf.layers.dense(net, 4)\n    out = net"
    )
    lines = class_of(body)
    assert follow(lines, "if params['deep']:", "self.dense = []", "for i in range(2):")
    assert follow(lines, "if self.params['deep']:", "dense = iter(self.dense)")


@pytest.mark.parametrize("head", ["for a_dense in self.a_dense:", "a_dense = iter(self.a_dense)"])
def test_loops_in_a_scope_under_a_condition_use_their_layers(head):
    inner = "" if head.startswith("for") else "for j in range(2):\n                    "
    body = (
        "if params['deep']:\n        with tf.variable_scope('a'):\n"
        f"            for i in range(2):\n                {inner}{DENSE}\n    out = net"
    )
    assert follow(class_of(body), "if self.params['deep']:", head)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            NESTED.replace("range(3)", "range(net.shape[-1])").format(DENSE),
            "loop that depends on net",
        ),
        (
            NESTED.format(f"if net.shape[-1] > 4:\n                {DENSE}"),
            "with a condition that depends on net",
        ),
        (
            NESTED.format(f"if j > 0 and mode == e.ModeKeys.TRAIN:\n                {DENSE}"),
            "with a condition that depends on mode",
        ),
        (NESTED.format(f"if j == 1:\n                break\n            {DENSE}"), "nested loop"),
        (NESTED.format(f"net = net if j else {DENSE[6:]}"), "in a part of an expression"),
        (
            NESTED.format("net = tf.layers.dense(net, 4, name='d%d' % i, reuse=tf.AUTO_REUSE)"),
            "may reuse variables in a nested loop",
        ),
        (NESTED.format(DENSE).replace("= net", "= tf.layers.dense(net, j)"), "depends on j"),
        ("sizes = [1] * 6\n    " + NESTED.format(f"{DENSE[:-2]}sizes.pop())"), "depends on sizes"),
        ("n = params['n']\n    " + NESTED.format(f"n += 1\n            {DENSE[:-2]}n)"), "on n, "),
        (
            "n = 4\n    for i in range(2):\n        n = n * net.shape[-1]\n"
            "    k = n + 1\n    out = tf.layers.dense(net, k)",
            "depends on k",
        ),
    ],
)
def test_loops_that_are_not_known_before_the_call_are_refused(text, reason):
    assert reason in base_program.refusal(base_program.OUT, text)
