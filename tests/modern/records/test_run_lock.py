"""Tests of the lock of a model folder, with real processes as its owners."""

import contextlib
import dataclasses
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from modern.process import cli
from modern.records import run_lock
from modern.records.lock_owner import Owner
from tests.modern.cluster.processes import until

HOLDER = [sys.executable, "-m", "tests.modern.records.lock_holder"]


class Holder:
    """A process that tries to get locks."""

    def __init__(self, *wrapper):
        self.process = subprocess.Popen(
            [*wrapper, *HOLDER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout.readline() == "ready\n"

    def ask(self, **request):
        """Sends a request for a lock."""
        self.process.stdin.write(
            json.dumps({key: str(v) if key == "model_dir" else v for key, v in request.items()})
            + "\n"
        )
        self.process.stdin.flush()

    def answer(self):
        """Returns "held", or the refusal."""
        return self.process.stdout.readline().rstrip("\n")

    def hold(self, model_dir, **options):
        """Gets a lock. Fails if it is refused."""
        self.ask(model_dir=model_dir, **options)
        assert self.answer() == "held"

    def release(self):
        """Releases the lock, and returns the last word on it."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.answer()

    def end(self):
        """Ends the process and returns its messages."""
        self.process.kill()
        return self.process.communicate()[1]


@pytest.fixture
def holder():
    """Returns a function that starts a process, which is ended after the test."""
    with contextlib.ExitStack() as stack:

        def start(*wrapper):
            made = Holder(*wrapper)
            stack.callback(made.end)
            return made

        yield start


def foreign(**changes):
    """Returns the content of a lock of a process on another host."""
    owner = Owner.of_this_process()
    changes = {
        "host": "elsewhere",
        "place": "another boot",
        "run": "another",
        "since": 1e9,
    } | changes
    return dataclasses.replace(owner, **changes).text()


def test_the_lock_names_its_owner_and_is_removed(tmp_path):
    before = time.time()
    with run_lock.held(tmp_path):
        owner = run_lock.owner(tmp_path)
    assert (owner.host, owner.pid) == (socket.gethostname(), os.getpid())
    assert before <= owner.since <= time.time()
    assert owner.lives() is False  # This process holds no lock now.
    assert list(tmp_path.iterdir()) == []


def test_it_is_removed_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), run_lock.held(tmp_path):
        _ = 1 / 0
    assert list(tmp_path.iterdir()) == []


def test_one_process_nests_and_repeats(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        with run_lock.held(tmp_path):
            with run_lock.held("."):  # Another name of the folder.
                pass
            assert (tmp_path / run_lock.FILE).exists()
        assert not (tmp_path / run_lock.FILE).exists()


def test_a_new_folder_stays_only_if_it_is_used(tmp_path):
    with run_lock.held(tmp_path / "new" / "empty"):
        pass
    assert not (tmp_path / "new" / "empty").exists()
    with run_lock.held(tmp_path / "used"):
        (tmp_path / "used" / "file").touch()
    assert [path.name for path in (tmp_path / "used").iterdir()] == ["file"]


def test_a_second_process_is_refused_in_one_line(tmp_path, holder):
    first, second = holder(), holder()
    first.hold(tmp_path)
    second.ask(model_dir=tmp_path)
    refusal = second.answer()
    assert f"process {first.process.pid} on host {socket.gethostname()}" in refusal
    assert re.search(r"since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}", refusal)
    assert str(tmp_path / run_lock.FILE) in refusal
    assert "name another model_dir" in refusal
    assert second.release() == "refused"
    assert first.release() == "released"
    second.hold(tmp_path)


def test_the_lock_of_a_killed_process_is_taken_over_at_once(tmp_path, holder):
    first, second = holder(), holder()
    first.hold(tmp_path)
    first.process.kill()  # It stays a zombie until `end`.
    began = time.monotonic()
    second.hold(tmp_path)
    assert time.monotonic() - began < run_lock.DEAD_AFTER_S / 2
    note = second.end()
    assert f"{tmp_path / run_lock.FILE} is taken over: process {first.process.pid}" in note
    assert "has ended without removing it" in note


def test_the_lock_of_the_program_before_an_exec_is_taken_over(tmp_path):
    program = """
import os, sys
from modern.records import run_lock
with run_lock.held(sys.argv[1]):
    if sys.argv[2:] == ["first"]:
        os.execv(sys.executable, [sys.executable, "-c", os.environ["PROGRAM"], sys.argv[1]])
"""
    subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), "first"],
        env=os.environ | {"PROGRAM": program},
        check=True,
    )
    assert list(tmp_path.iterdir()) == []


@contextlib.contextmanager
def renewing(path, first=0):
    """Renews the lock of a process on another host while the block runs."""
    stop = threading.Event()

    def renew():
        number = first
        while not stop.wait(0.05):
            number += 1
            # As a whole, since the file may be read at any moment.
            path.with_name("new").write_text(foreign(renewals=number))
            os.replace(path.with_name("new"), path)

    thread = threading.Thread(target=renew)
    path.write_text(foreign(renewals=first))
    thread.start()
    yield
    stop.set()
    thread.join()


def test_an_owner_on_another_host_that_renews_is_refused(tmp_path):
    refused = pytest.raises(run_lock.LockedError, match="on host elsewhere")
    with renewing(tmp_path / run_lock.FILE), refused, run_lock.held(tmp_path, dead_after_s=0.5):
        pass
    assert run_lock.owner(tmp_path).host == "elsewhere"


def test_an_owner_on_another_host_may_end_meanwhile(tmp_path):
    """For example, a pod that saves before it ends, next to the pod that replaces it."""

    def end():
        with renewing(tmp_path / run_lock.FILE):
            until(lambda: run_lock.owner(tmp_path).renewals > 10)
        (tmp_path / run_lock.FILE).unlink()

    owner = threading.Thread(target=end)
    owner.start()
    until(lambda: run_lock.owner(tmp_path))
    with run_lock.held(tmp_path, dead_after_s=3.0):
        assert run_lock.owner(tmp_path).pid == os.getpid()
    owner.join()


@pytest.mark.parametrize("content", [foreign(), foreign(since=1e300), "{", "[" * 60_000, "\0"])
def test_an_owner_that_cannot_be_seen_is_dead_after_a_while(tmp_path, capsys, content):
    """For example, a pod that was killed, whose successor has another host name."""
    (tmp_path / run_lock.FILE).write_text(content)
    began = time.monotonic()
    with run_lock.held(tmp_path, dead_after_s=0.6):
        assert time.monotonic() - began >= 0.6
        assert run_lock.owner(tmp_path).pid == os.getpid()
    waiting, taken = capsys.readouterr().err.splitlines()
    assert "If you know that it has ended, delete the file" in waiting
    assert "has not renewed it for 1 s" in taken


def test_deleting_the_file_ends_the_wait(tmp_path):
    path = tmp_path / run_lock.FILE
    path.write_text(foreign())
    deletion = threading.Timer(0.5, path.unlink)
    deletion.start()
    with run_lock.held(tmp_path):
        assert run_lock.owner(tmp_path).pid == os.getpid()
    deletion.join()


def test_the_owner_renews_and_restores_its_lock(tmp_path, holder):
    holder().hold(tmp_path, renew_s=0.05)
    first = until(lambda: run_lock.owner(tmp_path))
    until(lambda: run_lock.owner(tmp_path).renewals > first.renewals + 1)
    (tmp_path / run_lock.FILE).unlink()
    until(lambda: (run_lock.owner(tmp_path) or first).renewals > first.renewals + 1)
    assert run_lock.owner(tmp_path).run == first.run


def test_an_owner_that_has_lost_its_lock_ends_at_once(tmp_path, holder):
    """For example, a process that was suspended for minutes on another host."""
    loser = holder()
    loser.hold(tmp_path, renew_s=0.05)
    # Replaced as a whole, since the process may read it at any moment.
    (tmp_path / "new").write_text(foreign())
    os.replace(tmp_path / "new", tmp_path / run_lock.FILE)
    assert loser.process.wait(20) == cli.FAILURE
    assert "belongs to process" in loser.end()
    assert (tmp_path / run_lock.FILE).read_text() == foreign()


FORKING = """
import os, sys
from modern.records import run_lock
with run_lock.held(sys.argv[1]):
    child = os.fork()
    if not child:
        try:
            with run_lock.held(sys.argv[1], patience_s=0):
                sys.exit("held twice")
        except run_lock.LockedError:
            sys.exit(0)  # Leaves the block of its parent.
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert run_lock.owner(sys.argv[1]).pid == os.getpid()
"""


def test_a_forked_process_leaves_the_lock_of_its_parent(tmp_path):
    # A process of its own, since Python 3.12 warns of a fork next to threads.
    subprocess.run([sys.executable, "-c", FORKING, str(tmp_path)], check=True)
    assert list(tmp_path.iterdir()) == []


def test_it_is_removed_by_an_exit_without_clean_up(tmp_path):
    program = (
        "import sys; from modern.process import cli; from modern.records import run_lock\n"
        "with run_lock.held(sys.argv[1]): cli.exit_at_once(7)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert done.returncode == 7
    assert list(tmp_path.iterdir()) == []


def test_of_two_simultaneous_processes_one_gets_it(tmp_path, holder):
    both = [holder(), holder()]
    for number in range(20):
        folder = tmp_path / str(number)
        if number % 2:  # A dead owner, whom both find.
            folder.mkdir()
            own = Owner.of_this_process()
            (folder / run_lock.FILE).write_text(dataclasses.replace(own, started=0).text())
        at = time.monotonic() + 0.1
        for one in both:
            one.ask(model_dir=folder, at=at, patience_s=0)
        answers = [one.answer() for one in both]
        assert answers.count("held") == 1, answers
        (refusal,) = [answer for answer in answers if answer != "held"]
        winner = both[answers.index("held")].process.pid
        assert f"process {winner} on host" in refusal
        assert sorted(one.release() for one in both) == ["refused", "released"]


@pytest.mark.parametrize("path", ["file", "file/below", "/proc/model"])
def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, path):
    (tmp_path / "file").touch()
    refused = pytest.raises(cli.UsageError, match=r"cannot be written \(")
    with refused as raised, run_lock.held(tmp_path / path):
        pass
    assert "\n" not in str(raised.value)


def test_a_program_exits_with_code_2(tmp_path, holder, capsys):
    holder().hold(tmp_path)
    with pytest.raises(SystemExit) as raised, run_lock.held_or_exit(tmp_path):
        pass
    assert raised.value.code == cli.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert "is in use: process" in line


def test_a_suspended_owner_on_this_host_keeps_its_lock(tmp_path, holder):
    first = holder()
    first.hold(tmp_path, renew_s=0.05)
    first.process.send_signal(signal.SIGSTOP)
    with pytest.raises(run_lock.LockedError), run_lock.held(tmp_path, dead_after_s=0.1):
        pass


def test_a_task_of_a_cluster_holds_it_until_its_exit(tmp_path):
    program = (
        "import sys; from modern.records import run_lock\n"
        "run_lock.hold_until_exit(sys.argv[1])\n"
        "with run_lock.held(sys.argv[1]): pass\n"
        "print(run_lock.owner(sys.argv[1]).pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) > 0
    assert list(tmp_path.iterdir()) == []
