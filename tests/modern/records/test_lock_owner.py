"""Tests of the owner of a lock."""

import dataclasses
import json
import os
import socket
import subprocess
import sys
import time

import pytest

from modern.records import lock_owner
from modern.records.lock_owner import Owner


@pytest.fixture
def process():
    """Returns another process, which is ended after the test."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as one:
        yield one
        one.kill()


def owned_by(process):
    """Returns the owner that is another process of this host."""
    started = lock_owner.start_of(process.pid)
    return dataclasses.replace(Owner.of_this_process(), pid=process.pid, started=started)


def test_it_names_this_process():
    before = time.time()
    owner = Owner.of_this_process()
    assert (owner.host, owner.pid) == (socket.gethostname(), os.getpid())
    assert before <= owner.since <= time.time()
    assert f"process {os.getpid()} on host {socket.gethostname()} (since " in owner.description()
    assert owner.run != Owner.of_this_process().run


def test_a_process_with_the_same_id_is_another_one(process):
    living = owned_by(process)
    assert living.lives()
    assert dataclasses.replace(living, started=living.started - 1).lives() is False
    assert dataclasses.replace(living, place="after a reboot").lives() is None


def test_a_killed_process_does_not_live_even_as_a_zombie(process):
    living = owned_by(process)
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # It stays a zombie.
    assert living.lives() is False
    process.wait()
    assert living.lives() is False


def test_it_is_read_as_it_was_written():
    owner = Owner.of_this_process()
    assert Owner.parse(owner.text()) == owner


@pytest.mark.parametrize(
    "changes",
    [{"pid": 0}, {"pid": "1"}, {"host": 5}, {"since": None}, {"since": 1e300}, {"renewals": []}],
)
def test_a_damaged_file_has_no_owner(changes):
    values = json.loads(Owner.of_this_process().text())
    assert Owner.parse(json.dumps(values | changes)) is None
    del values[next(iter(changes))]
    assert Owner.parse(json.dumps(values)) is None
    assert Owner.parse("[" * 60_000) is None
