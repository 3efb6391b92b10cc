"""Health checks of TensorFlow servers, and the end of connections to those that do not answer.

>>> answers("localhost:1", timeout_s=0.5)  # Nothing listens there.
False

A process that is stopped (SIGSTOP, a frozen machine) still accepts connections, because its kernel
does. But it does not answer. TensorFlow's gRPC calls have no deadline, and gRPC's keepalive is off
and has no setting outside of C++. So such calls wait for as long as the kernel repeats its packets,
about 15 minutes on Linux, or forever for a stopped process.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import stat
import time
from collections.abc import Iterator
from typing import Any

from modern.cluster import addresses

# The first bytes of an HTTP/2 client: a fixed text and an empty SETTINGS frame. Each server answers
# them with its own SETTINGS frame, before any request.
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_FRAME_HEADER_BYTES, _FRAME_TYPE_AT, _SETTINGS = 9, 3, 4


def answers(address: str, timeout_s: float = 5.0) -> bool:
    """Returns whether a gRPC server answers at an address, without sending it a request.

    Args:
      address: The "host:port" of the server.
      timeout_s: Seconds that it has to answer.
    """
    deadline = time.monotonic() + timeout_s
    header = b""
    try:
        with socket.create_connection(addresses.split(address), timeout_s) as connection:
            connection.sendall(_PREFACE)
            while len(header) < _FRAME_HEADER_BYTES:
                connection.settimeout(max(deadline - time.monotonic(), 1e-3))
                part = connection.recv(_FRAME_HEADER_BYTES - len(header))
                if not part:
                    return False
                header += part
    except OSError:
        return False
    return header[_FRAME_TYPE_AT] == _SETTINGS


def accepts(address: str, timeout_s: float = 2.0) -> bool:
    """Returns whether a task accepts connections, which it does as long as its process lives.

    Args:
      address: The "host:port" of the task.
      timeout_s: Seconds that a connection may take.
    """
    try:
        with socket.create_connection(addresses.split(address), timeout_s):
            return True
    except OSError:
        return False


def disconnect(address: str) -> int:
    """Ends this process's connections to a server, so that calls to it fail instead of waiting.

    gRPC connects again when the server answers again.

    Args:
      address: The "host:port" of the server.

    Returns:
      The number of connections.
    """
    host, port = addresses.split(address)
    try:
        candidates = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return 0
    peers = {_plain(place[:2]) for *_, place in candidates}
    count = 0
    for connection, peer in _connections():
        if _plain(peer[:2]) in peers:
            # It acts on the connection itself, not on this copy of its descriptor. The other side
            # may have ended it already.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            count += 1
    return count


def _connections() -> Iterator[tuple[socket.socket, tuple[Any, ...]]]:
    """Yields a copy of each TCP connection of this process, closed afterwards, and its peer."""
    for name in os.listdir("/dev/fd"):
        # A descriptor may be closed at any time, also by another thread.
        with contextlib.suppress(OSError):
            copy = os.dup(int(name))
            if not stat.S_ISSOCK(os.fstat(copy).st_mode):
                os.close(copy)
                continue
            with socket.socket(fileno=copy) as connection:
                is_tcp = connection.family in (socket.AF_INET, socket.AF_INET6)
                if is_tcp and connection.type == socket.SOCK_STREAM:
                    peer = connection.getpeername()  # Raises an error if it only listens.
                    yield connection, peer


def _plain(place: tuple[Any, ...]) -> tuple[str, int]:
    """Returns (IP address, port), where an IPv4 address in the form of IPv6 becomes IPv4 again."""
    host, port = place
    address = ipaddress.ip_address(host.split("%")[0])
    ipv4 = getattr(address, "ipv4_mapped", None)
    return str(ipv4 or address), port
