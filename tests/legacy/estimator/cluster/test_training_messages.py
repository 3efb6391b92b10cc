"""Tests of the messages about a training."""

import socket

from legacy.estimator import RunConfig
from legacy.estimator.cluster import training_messages as messages
from modern.cluster import ports


def test_workers_that_have_joined_and_live_are_unfinished(environ):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        live = f"127.0.0.1:{listening.getsockname()[1]}"
        gone = f"127.0.0.1:{ports.free_ports(1)[0]}"
        environ({"chief": ["h:1"], "worker": [live, gone, live, live], "ps": ["h:2"]}, "chief", 0)
        words = {messages.worker_key("a", index): messages.JOINED for index in (0, 1)}
        words |= {
            messages.worker_key("a", 2): messages.FINISHED,
            messages.worker_key("b", 3): messages.JOINED,
        }
        found = messages.unfinished_workers(RunConfig(), words, "a")
    assert found == {"worker-0": live}


def test_entries_are_told_from_the_words_of_workers():
    words = {
        messages.training_key("model"): messages.entry_text("a", messages.OVER),
        messages.worker_key("a", 0): messages.JOINED,
    }
    assert messages.entries(words) == [{"id": "a", "state": "over"}]
    assert messages.entry(words, messages.training_key("other")) is None
