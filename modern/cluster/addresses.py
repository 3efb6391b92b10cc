"""Checks of task addresses, "host:port": their form, and whether this machine can bind them.

>>> form_problem("localhost"), form_problem("localhost:2222")
('without a host or a port. Write "host:port" ("[::1]:2222" for IPv6)', None)
>>> split("[::1]:2222")
('::1', 2222)
>>> normalized("LOCALHOST:2222"), normalized("[::1]:2222")
('localhost:2222', 'localhost:2222')
>>> is_this_machine("localhost")
True
"""

import errno
import ipaddress
import re
import socket
from typing import Any

_LONGEST_NAME = 253
# RFC 1123, section 2.1, and the underscore, which is common in the names of containers.
_LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
# A name whose last label is a number is an IPv4 address.
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_LOOPBACK_NAMES = re.compile(
    r"(.+\.)?localhost|localhost[46]?(\.localdomain[46]?)?|ip6-(localhost|loopback)"
)


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
        return f"with a scheme. Write {address.split('://', 1)[1][:100]!r}, without it"
    host, colon, port = address.rpartition(":")
    if not colon or address.endswith("]") or not host or (":" in host and not host.endswith("]")):
        return 'without a host or a port. Write "host:port" ("[::1]:2222" for IPv6)'
    return _port_problem(port) or _host_problem(host)


def _port_problem(port: str) -> str | None:
    plain = port.lstrip("0")
    if not (port.isascii() and port.isdigit() and len(plain) < 6 and 0 < int(port) < 65536):
        return f"whose port {port[:20]!r} is not a number from 1 to 65535. Correct the port"
    # The tasks of an Estimator cluster wait forever for an address such as localhost:021001.
    return None if port == plain else f"whose port {port[:20]!r} begins with 0. Write {plain}"


def _host_problem(host: str) -> str | None:
    if "[" in host or "]" in host:
        is_literal = host.startswith("[") and host.endswith("]") and _ip(host[1:-1], 6)
        return None if is_literal else 'whose host is no IPv6 address. Write it like "[::1]:2222"'
    labels = host.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return None if _ip(host, 4) else "whose host is no IPv4 address. Write four numbers"
    if len(host) > _LONGEST_NAME:
        return f"whose host has {len(host)} characters, more than {_LONGEST_NAME}. Shorten it"
    if not all(map(_LABEL.fullmatch, labels)):
        return (
            "whose host is no host name. Write letters, digits, hyphens and dots, at most 63 "
            "characters between two dots"
        )
    return None


def _ip(host: str, version: int) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Returns a host as an address of a version of IP, or None."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return address if address.version == version else None


def split(address: str) -> tuple[str, int]:
    """Splits a well-formed address into its host, without the brackets of IPv6, and its port."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def normalized(address: str) -> str:
    """Returns a well-formed address in a form in which equal addresses are equal.

    All names and addresses of the loopback interface become "localhost". TensorFlow's server binds
    a port on all interfaces, so only one task can have it. No name is looked up.
    """
    host, port = split(address)
    host = host.lower().removesuffix(".")
    literal: Any = _ip(host, 4) or _ip(host, 6)
    # An IPv4 address can be written as an IPv6 address: ::ffff:127.0.0.1.
    literal = getattr(literal, "ipv4_mapped", None) or literal
    if literal is None:
        is_loopback = bool(_LOOPBACK_NAMES.fullmatch(host))
    else:
        is_loopback = literal.is_loopback or literal.is_unspecified
    return f"{'localhost' if is_loopback else literal or host}:{port}"


def is_known_without_dns(host: str) -> bool:
    """Returns whether a host is an IP address, or a name that this machine has for itself."""
    own_name = socket.gethostname().lower()
    return bool(_ip(host, 4) or _ip(host, 6)) or host.lower() in (own_name, "localhost")


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
        candidates = socket.getaddrinfo(host, 0, type=socket.SOCK_DGRAM)
    except (OSError, UnicodeError):
        return False
    for family, kind, protocol, _, address in candidates:
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
