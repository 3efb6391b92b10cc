"""Tests of messages that are removed from TensorFlow's and absl's logs."""

import contextlib
import logging
import warnings

import pytest

from modern.process import log_filters


@contextlib.contextmanager
def hearing(logger):
    """Yields the messages that a logger emits meanwhile."""
    heard, handler = [], logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())
    logger.addHandler(handler)
    try:
        yield heard
    finally:
        logger.removeHandler(handler)


@pytest.mark.parametrize("name", ["tensorflow", "absl"])
def test_some_are_hidden_for_a_while(name):
    logger = logging.getLogger(name)
    with hearing(logger) as heard:
        with log_filters.hidden("of no use", "of none"):
            for text in ("this is of no use", "of %s", "this is of use"):
                logger.error(text, *["none"] if "%s" in text else [])
        logger.error("this is of no use")
    assert heard == ["this is of use", "this is of no use"]


def test_each_failure_of_a_worker_is_told_once_and_briefly():
    logger = logging.getLogger("tensorflow")

    def log(message, *arguments, module="cluster_coordinator"):
        path = f"/tf/{module}.py"
        logger.handle(logger.makeRecord(logger.name, 40, path, 1, message, arguments, None))

    with hearing(logger) as heard:
        with log_filters.lost_workers_briefly():
            for task in ("worker 0", "worker 0", "worker 1"):
                log("%s failed with 100%%: %s", task, "lost\nremote trace")
            log("Long: %s", "x" * 1000)
            log("two\nlines", module="other")
        log("two\nlines")
    assert heard == [
        "worker 0 failed with 100%: lost",
        "worker 1 failed with 100%: lost",
        "Long: " + "x" * 294 + " …",
        "two\nlines",
        "two\nlines",
    ]


def test_a_warning_is_hidden_for_good_by_its_beginning():
    for _ in range(2):
        log_filters.hide_warnings("of no .*", "of none")
    count = len(warnings.filters)
    log_filters.hide_warnings("of no .*")
    assert len(warnings.filters) == count
    warnings.warn("of no use", UserWarning, stacklevel=1)
    with pytest.raises(UserWarning, match="of use"):
        warnings.warn("of use", UserWarning, stacklevel=1)
