"""Addresses of tasks, "host:port": their form, and whether this machine can serve on them.

>>> form_problem("localhost"), form_problem("localhost:2222")
('without a host or a port. Write "host:port" ("[::1]:2222" for IPv6)', None)
>>> split("[::1]:2222")
('::1', 2222)
>>> is_this_machine("localhost")
True
"""

import errno
import socket
from typing import Any


def form_problem(address: Any) -> str | None:
    """Says what is wrong with the form of an address.

    Args:
      address: What stands in TF_CONFIG in an address' place.

    Returns:
      A phrase that continues "the address X, " and says what to change; None where all is well.
    """
    if not isinstance(address, str):
        return 'which is not a string. Write "host:port"'
    if "://" in address:
        return f"with a scheme. Write {address.split('://', 1)[1]!r}, without it"
    host, colon, port = address.rpartition(":")
    if not colon or address.endswith("]") or not host or (":" in host and not host.endswith("]")):
        return 'without a host or a port. Write "host:port" ("[::1]:2222" for IPv6)'
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        return f"whose port {port!r} is not a number from 1 to 65535. Correct the port"
    return None


def split(address: str) -> tuple[str, int]:
    """Splits a well-formed address into its host, without IPv6's brackets, and its port."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def is_this_machine(host: str) -> bool:
    """Says whether a host's address can be bound, which only this machine's own can.

    Args:
      host: A name or an IP address. One that does not resolve is not this machine.

    Returns:
      Whether it is this machine.
    """
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_DGRAM)
    except (OSError, UnicodeError):
        return False
    for family, kind, protocol, _, address in found:
        try:
            with socket.socket(family, kind, protocol) as probe:
                probe.bind(address)
                return True
        except OSError:
            continue
    return False


def bind_error(port: int) -> int | None:
    """Tries to bind a port on all interfaces, as TensorFlow's server does.

    Args:
      port: From 1 to 65535.

    Returns:
      None where it can be bound; else `errno.EADDRINUSE` or `errno.EACCES`.
    """
    for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                # As gRPC does it: a port in TIME_WAIT can be used, one that is listened on cannot.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind((host, port))
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                return error.errno
    return None
