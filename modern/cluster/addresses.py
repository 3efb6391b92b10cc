"""Checks of task addresses, "host:port": their form, and whether this machine can bind them.

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
    """Returns a description of the error in an address.

    Args:
      address: The value that TF_CONFIG has in the place of an address.

    Returns:
      A phrase that continues "the address X, " and tells the user how to correct it. None if the
      address is well-formed.
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
    """Splits a well-formed address into its host, without the brackets of IPv6, and its port."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def is_this_machine(host: str) -> bool:
    """Returns whether the address of a host belongs to this machine, by trying to bind it.

    Args:
      host: A name or an IP address. A name that does not resolve is not this machine.

    Returns:
      True if it is this machine.
    """
    try:
        # A socket can be bound only to an address of this machine. Port 0 lets the system choose a
        # port.
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
      port: The port, from 1 to 65535.

    Returns:
      `errno.EADDRINUSE` or `errno.EACCES`, or None if the port can be bound.
    """
    for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                # As gRPC does: a port in TIME_WAIT can be used, a port with a listener cannot.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind((host, port))
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                return error.errno
    return None
