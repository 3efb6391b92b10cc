"""Tests for the dropout of RNN cells: texts, modes and refusals."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.model_fns import base_program

CELL = "tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), {})"
RUN = "\n    out, _ = tf.nn.dynamic_rnn(cell, net, dtype=tf.float32)"


def cell_line(before, options):
    """Returns the line of `__init__` that makes the cell."""
    body = f"{before}cell = {CELL.format(options)}{RUN}"
    text = base_program.BASE.replace(base_program.OUT, body)
    outcome = fixed_point.rewrite(text, base_program.RULE, unsafe=True, plan=tools.plan(api="v1"))
    (line,) = [line for line in outcome.text.splitlines() if "GRUCell(" in line]
    return line.partition('"gru_cell")')[2].removeprefix(", ").rstrip(")")


TRAINS = "mode == e.ModeKeys.TRAIN"


@pytest.mark.parametrize(
    ("before", "options", "expected"),
    [
        ("", "output_keep_prob=0.5", "output_keep_prob=0.5"),
        ("", "params['keep'], seed=3", "input_keep_prob=params['keep']"),
        ("", "1.0, 1.0, 1.0", ""),
        (
            "",
            f"output_keep_prob=params['keep'] if {TRAINS} else 1.0",
            "output_keep_prob=params['keep'], in_training_only=True",
        ),
        (
            f"rate = params['rate'] if {TRAINS} else 0.0\n    keep = 1.0 - rate\n    ",
            "state_keep_prob=keep",
            "state_keep_prob=1.0 - params['rate'], in_training_only=True",
        ),
        (
            f"keep = 1.0\n    if {TRAINS}:\n        keep = 0.5\n    ",
            "output_keep_prob=keep, input_keep_prob=keep",
            "input_keep_prob=0.5, output_keep_prob=0.5, in_training_only=True",
        ),
        (
            f"if {TRAINS}:\n        keep = 0.5\n    else:\n        keep = 0.5\n    ",
            "output_keep_prob=keep",
            "output_keep_prob=0.5",
        ),
    ],
)
def test_a_cell_has_the_dropout_of_training(before, options, expected):
    assert cell_line(before, options) == expected


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (f"output_keep_prob=0.5 if {TRAINS} else 0.9", "is not 1 outside of training"),
        ("output_keep_prob=0.5 if mode == e.ModeKeys.EVAL else 1.0", "is not 1 outside"),
        (f"0.5 if {TRAINS} else 1.0, output_keep_prob=0.9", "other dropout in all modes"),
        ("output_keep_prob=features['keep']", "is another cell"),
        (f"output_keep_prob=net[0] if {TRAINS} else 1.0", "depends on net"),
    ],
)
def test_other_dropout_is_left_to_the_bridge(options, reason):
    new = f"cell = {CELL.format(options)}{RUN}"
    assert reason in base_program.refusal(base_program.OUT, new)
