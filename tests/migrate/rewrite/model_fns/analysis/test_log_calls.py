"""Tests for model_fns that print or log by other names."""

import pytest

from tests.migrate.rewrite.model_fns import base_program

_LOGGER = "import logging\nlog = logging.getLogger('job')"


def _program(above, call):
    """Returns the program with lines above, whose model_fn contains a call."""
    text = base_program.BASE.replace("import other", f"import other\n{above}")
    return text.replace(base_program.OUT, f"{base_program.OUT}\n    {call}")


@pytest.mark.parametrize(
    ("above", "call"),
    [
        ("show = tf.logging.info", "show('net')"),
        ("show = print", "show('net')"),
        ("from logging import info as show", "show('net')"),
        ("import logging as lib\nshow = lib.info", "show('net')"),
        ("import sys", "sys.stdout.write('net')"),
        (_LOGGER, "log.info('%s', net)"),
        ("log = tf.get_logger()", "log.info('%s', net)"),
        ("def show(text):\n    print('{}'.format(text))", "show(net)"),
        (f"{_LOGGER}\ndef show(text):\n    log.info(text)", "show(net)"),
    ],
)
def test_the_model_leaves_out_what_only_prints_or_logs(above, call):
    text = base_program.model_class(base=_program(above, call))
    assert call not in text.partition("def compute_loss")[0]


@pytest.mark.parametrize(
    ("above", "call"),
    [
        ("log = other.logger", "log.info('net')"),
        ("log = log", "log.info('net')"),
        ("def print(text):\n    other.send(text)", "print('net')"),
        ("def show(text):\n    print(text.pop('x'))", "show(features)"),
        ("from .logging import info", "info('net')"),
    ],
)
def test_what_may_do_more_is_left_to_the_bridge(above, call):
    text = _program(above, call)
    assert "may have side effects" in base_program.refusal(base_program.BASE, text)
