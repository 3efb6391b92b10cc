"""Tests for the edits that replace functions by classes."""

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

NETWORK = """\
def network(net):
    def cell(size):
        return tf.nn.rnn_cell.GRUCell(size)

    out, _ = tf.nn.dynamic_rnn(cell(3), net, dtype=tf.float32)
    return out

def model_fn("""


def test_a_function_goes_together_with_its_inner_functions():
    text = base_program.BASE.replace("def model_fn(", NETWORK)
    text = text.replace("net = features", "net = network(features)")
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v2"))
    assert "(tf_keras.Model)" in outcome.text
    assert "def network" not in outcome.text
    assert "def cell" not in outcome.text
