"""The owner of a lock: a process, which others recognize by its host, id and start.

>>> own = Owner.of_this_process()
>>> Owner.parse(own.text()) == own
True

A process on the same host can be seen, so that its death is noticed at once. `Owner.lives` tells if
that is possible.
"""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import time
import uuid


@dataclasses.dataclass(frozen=True)
class Owner:
    """The process that holds a lock.

    Attributes:
      host: The name of its host.
      pid: Its process id.
      started: Its start, in clock ticks since the boot. None if the system does not report it.
      place: The boot and the process namespace in which its id holds. Empty if they are not known.
      since: The time at which it got the lock, in unix seconds of its clock.
      run: A unique id of this hold.
      renewals: The number of renewals.
    """

    host: str
    pid: int
    started: int | None
    place: str
    since: float
    run: str
    renewals: int = 0

    @classmethod
    def of_this_process(cls) -> Owner:
        """Returns a new owner."""
        pid = os.getpid()
        return cls(
            socket.gethostname(), pid, start_of(pid), _place(), time.time(), uuid.uuid4().hex
        )

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """Returns the owner in a file, or None if the content is damaged."""
        try:
            values = json.loads(text)
            owner = cls(**{field.name: values[field.name] for field in dataclasses.fields(cls)})
            owner.description()  # Raises an error if `since` is not a time.
        except (ValueError, TypeError, KeyError, OverflowError, OSError, RecursionError):
            return None
        texts = owner.host, owner.place, owner.run
        numbers = owner.pid, owner.started or 0, owner.renewals
        is_whole = all(isinstance(text, str) for text in texts) and all(
            isinstance(number, int) for number in numbers
        )
        is_whole = is_whole and isinstance(owner.since, int | float)
        return owner if is_whole and 0 < owner.pid < 1 << 31 else None

    def text(self) -> str:
        """Returns the content of the file."""
        return json.dumps(dataclasses.asdict(self)) + "\n"

    def description(self) -> str:
        """Returns the owner in words."""
        since = time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(self.since))
        # A damaged file could have a line end there.
        host = "".join(letter if letter.isprintable() else "?" for letter in self.host[:80])
        return f"process {self.pid} on host {host} (since {since})"

    def lives(self) -> bool | None:
        """Returns whether the process lives. None if this process cannot see that."""
        if not self.place or self.place != _place():
            return None
        if self.pid == os.getpid():
            # The program of an earlier `exec` in this process.
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            pass  # It is another user's.
        started = start_of(self.pid)
        if started is None or self.started is None:
            return None
        return started == self.started


def _place() -> str:
    """Returns the boot and the process namespace of this process, or "" if they are not known."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            boot = file.read().strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}" if boot else ""
    except OSError:
        return ""


def start_of(pid: int) -> int | None:
    """Returns the start of a process in clock ticks since the boot, or -1 for a zombie."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The second field, in brackets, may have spaces.
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return -1 if fields[0] in (b"Z", b"X") else int(fields[19])
