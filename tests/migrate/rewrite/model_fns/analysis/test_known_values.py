"""Tests for values that are known when a model is made: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (base_program.OUT, "out = tf.layers.dense(net, tf.shape(net)[1])", "depends on net"),
        (
            base_program.OUT,
            "out = tf.layers.dense(net, 1, bias_initializer=tf.constant_initializer(net.shape[1]))",
            "depends on net",
        ),
        (
            base_program.OUT,
            "size = net.shape[1]\n    size += 1\n    out = tf.layers.dense(net, size)",
            "depends on size",
        ),
        (
            base_program.OUT,
            "for size in net.shape:\n        net = tf.layers.dense(net, size)\n    out = net",
            "depends on net",
        ),
        (
            base_program.OUT,
            "if net is None:\n        net = tf.layers.dense(net, params['more'])\n    out = net",
            "only under a condition",
        ),
        (
            base_program.OUT,
            "units = params['units']\n    units.reverse()\n    for size in units:\n"
            "        net = tf.layers.dense(net, size)\n    out = net",
            "depends on units",
        ),
        (
            base_program.OUT,
            "units = [1, 2]\n    net = tf.layers.dense(net, units[0])\n    units.reverse()\n"
            "    out = tf.layers.dense(net, units[0])",
            "depends on units",
        ),
        (
            base_program.OUT,
            "units = [1, 2]\n    if params['more']:\n        units.append(3)\n"
            "    out = tf.layers.dense(net, units[-1])",
            "depends on units",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_the_bridge(old, new, reason):
    assert reason in base_program.refusal(old, new)


@pytest.mark.parametrize(
    "statements",
    [
        ["units = params['units'].copy()", "units.reverse()", "units.pop(0)"],
        ["units = list(params['units'])", "last = units.pop()", "units.append(last + 1)"],
        ["units = params['units']", "units = [8] + units", "units += [1]"],
        ["options = dict(params)", "units = options.pop('units')"],
    ],
)
def test_lists_are_made_and_changed_before_the_layers(statements):
    loop = ["for size in units:", "    net = tf.layers.dense(net, size)", "out = net"]
    change = (base_program.OUT, "\n    ".join([*statements, *loop]))
    made, _, called = base_program.model_class(change).partition("    def call(")
    for statement in statements:
        assert f"        {statement}\n" in made
    assert "for size in units" in made
    assert "units" not in called.partition("    def ")[0]
