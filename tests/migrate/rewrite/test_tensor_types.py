"""Tests on programs that check the type of a tensor, against results from TensorFlow 1.15.5."""

import textwrap

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

PROGRAM = """
    import tensorflow as tf
    def kind(value):
        if type(value) in {dict, tf.Tensor}:
            return "one"
        return "tensor" if tf.Tensor == type(value) else "several"
    given = tf.placeholder(tf.float32, [])
    x = kind(given), kind({}), kind([given]), type(given) is tf.Tensor
    y = type(given) is not tf.Tensor, type(tf.Variable(1.0)) == tf.Tensor
    """


def test_a_tensor_is_of_the_type_that_it_was_of():
    text = fixed_point.rewrite(textwrap.dedent(PROGRAM), tools.TO_LEGACY).text
    (found,) = tools.run([text], "plain")
    assert found == {"x": ["one", "one", "several", True], "y": [False, False]}


def test_eager_tensors_had_a_type_of_their_own():
    text = "import tensorflow.compat.v1 as tf\nx = type(tf.zeros([])) is tf.Tensor\n"
    only = tools.rule("legacy", "tensor_types")
    tools.check_noop(text, only, api="v2")
    tools.check_noop(text, only, names=("tf.enable_eager_execution",))


def test_what_is_computed_is_not_computed_twice():
    text = "import tensorflow.compat.v1 as tf\nx = type(f()) in (int, tf.Tensor)\n"
    outcome = fixed_point.rewrite(
        text, tools.rule("legacy", "tensor_types"), plan=tools.plan(), unsafe=True
    )
    assert outcome.text == text
    assert [said.reason for said in outcome.suggestions] == [
        "the argument of type() would be computed twice"
    ]
