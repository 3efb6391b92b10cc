"""Tests for functions that settings choose: calls in Keras models, and refusals."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

TABLE = 'ACTS = {"relu": tf.nn.relu, "tanh": tf.tanh}\n'


def _program(out, head=""):
    return base_program.BASE.replace(base_program.OUT, out).replace("import other\n", head)


@pytest.mark.parametrize(
    ("out", "head"),
    [
        ('act = getattr(tf.nn, params["act"])\n    out = act(net)', ""),
        ('act = getattr(tf.nn, params["act"], tf.identity)\n    out = act(net)', ""),
        ('act = ACTS[params["act"]]\n    out = act(net)', TABLE),
        ('out = ACTS[params["act"]](net)', TABLE),
        ('act = ACTS.get(params["act"], tf.sigmoid)\n    out = act(net)', TABLE),
        ('act = tf.nn.relu if params["relu"] else tf.tanh\n    out = act(net)', ""),
    ],
)
def test_a_chosen_function_is_called_as_before(out, head):
    text = _program(out, head)
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert out.replace("params[", "self.params[").replace("\n", "\n    ") in outcome.text


@pytest.mark.parametrize(
    ("out", "head"),
    [
        ('act = getattr(tf, params["act"])\n    out = act(net)', ""),
        ('act = getattr(tf.nn, params["act"])\n    out = act(net, net)', ""),
        ('act = getattr(tf.nn, params["act"], other)\n    out = act(net)', "import other\n"),
        ('act = params["act"]\n    out = act(net)', ""),
        ('out = ACTS[params["act"]](net)', TABLE.replace("tf.tanh", "tf.layers.flatten")),
        ('out = ACTS[params["act"]](net)', f'{TABLE}ACTS["more"] = len\n'),
        ('out = ACTS[params["act"]](net)', f"{TABLE}ACTS.update(more=len)\n"),
        ('out = ACTS.get(params["act"], len)(net)', TABLE),
    ],
)
def test_an_unknown_function_may_create_variables(out, head):
    text = _program(out, head)
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "may create variables" in outcome.suggestions[0].reason
