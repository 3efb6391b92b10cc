"""A switch between machines that delays each packet, for kernels without netem.

    with delays.switch({"10.0.0.1": first.pid, "10.0.0.2": second.pid}, latency_s=0.005):
        # Each machine now has the device eth0, which has no address yet.

The switch is a process that has a TUN device in each machine: it reads the packets that the machine
sends, and writes them to the device of another machine when the latency has passed.
"""

from __future__ import annotations

import collections
import contextlib
import ctypes
import fcntl
import json
import os
import pathlib
import select
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

# Two machines exchange about 5 Gbit/s in packets of this size, and much less in those of an
# Ethernet, because Python handles each packet.
MTU = 60_000
_TUN = pathlib.Path("/dev/net/tun")
_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_CLONE_NEWNET = 0x40000000


def obstacle() -> str | None:
    """Returns the reason why this computer cannot have a switch, or None."""
    return None if _TUN.exists() else f"{_TUN} is missing: load the module tun"


@contextlib.contextmanager
def switch(pids: Mapping[str, int], latency_s: float) -> Iterator[None]:
    """Connects machines until the end of the context.

    Args:
      pids: A process in each machine, by the address that the machine will have.
      latency_s: Seconds from one machine to another.

    Raises:
      RuntimeError: The switch did not start. Its reason is on the standard error.
    """
    process = subprocess.Popen(
        [sys.executable, str(pathlib.Path(__file__)), json.dumps(dict(pids)), str(latency_s)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    with process:  # Closes its input, which ends it, and waits.
        assert process.stdout
        if not process.stdout.readline():
            raise RuntimeError("the switch did not start")
        yield


def _device_in(pid: int) -> int:
    """Enters the network of a process, and returns a new TUN device in it."""
    with pathlib.Path(f"/proc/{pid}/ns/net").open() as network:
        # From Python 3.12 on, it is os.setns.
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(network.fileno(), _CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"cannot enter the network of {pid}")
    device = os.open(_TUN, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH22x", b"eth0", _IFF_TUN | _IFF_NO_PI))
    return device


def _forward(devices: Mapping[bytes, int], latency_s: float) -> None:
    """Forwards packets until the standard input ends.

    Args:
      devices: A device of each machine by its address, in 4 bytes.
      latency_s: Seconds that a packet waits.
    """
    # All packets wait for as long, so the first one is always the next.
    waiting: collections.deque[tuple[float, bytes]] = collections.deque()
    while True:
        wait_s = max(waiting[0][0] - time.monotonic(), 0) if waiting else None
        ready, _, _ = select.select([sys.stdin, *devices.values()], [], [], wait_s)
        if sys.stdin in ready:
            return
        due = time.monotonic() + latency_s
        for device in ready:
            # Others wait for a packet, too, so do not stay until the device has none.
            with contextlib.suppress(BlockingIOError):
                for _ in range(16):
                    waiting.append((due, os.read(device, MTU)))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, packet = waiting.popleft()
            destination = packet[16:20]  # Of IPv4. The switch has no device for IPv6.
            if destination in devices:
                # TCP repeats a packet that a full or closed device does not take.
                with contextlib.suppress(OSError):
                    os.write(devices[destination], packet)


def _main(pids: Mapping[str, int], latency_s: float) -> None:
    devices = {
        bytes(map(int, address.split("."))): _device_in(pid) for address, pid in pids.items()
    }
    print("ready", flush=True)
    _forward(devices, latency_s)


if __name__ == "__main__":
    _main(json.loads(sys.argv[1]), float(sys.argv[2]))
