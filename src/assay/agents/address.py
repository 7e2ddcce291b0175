"""Which names a request may be addressed to: those that a server here was given, and addresses.

A web page may give its own name the address of this machine (DNS rebinding); its requests then reach a server
here under that name, and are known by it. `Host` is what they carry.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit


def addressed_here(header: str, host: str, loopback: bool) -> bool:
    """Whether a `Host` header names a server that listens on this host; on loopback nothing else may."""
    try:
        name = urlsplit(f"//{header}").hostname or ""
    except ValueError:
        name = ""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name.lower() in {"localhost", host.lower(), *([] if loopback else _own_names())}
    return address.is_loopback or not loopback


def is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def _own_names() -> set[str]:
    name = socket.gethostname().lower()
    return {name, name.partition(".")[0]}
