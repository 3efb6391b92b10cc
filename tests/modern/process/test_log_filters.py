"""Tests of messages that are removed from TensorFlow's and absl's logs."""

import logging

import pytest

from modern.process import log_filters


@pytest.mark.parametrize("name", ["tensorflow", "absl"])
def test_some_are_hidden_for_a_while(name):
    logger, heard = logging.getLogger(name), []
    handler = logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())
    logger.addHandler(handler)
    try:
        with log_filters.hidden("of no use", "of none"):
            for text in ("this is of no use", "of %s", "this is of use"):
                logger.error(text, *["none"] if "%s" in text else [])
        logger.error("this is of no use")
    finally:
        logger.removeHandler(handler)
    assert heard == ["this is of use", "this is of no use"]
