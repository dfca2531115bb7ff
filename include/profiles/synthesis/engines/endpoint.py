"""Which servers an engine may call, and which certificate authorities it trusts."""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
from urllib.parse import urlsplit

from profiles.errors import EngineJobError

__all__ = ["place", "refuse_public", "trusted_authorities"]

_METADATA = tuple(
    ipaddress.ip_network(network)
    for network in (
        "169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "fd20:ce::/32", "192.0.0.192/32",
        "100.100.100.200/32", "168.63.129.16/32",
    )
)  # fmt: skip
"""Where the metadata services of clouds lie, which hand out credentials."""


def refuse_public(base_url: str, *, allow_public: bool = False) -> None:
    """Passes loopback and private addresses; every address of the host must be one.

    Addresses of metadata services never pass, however they are written.

    Raises:
        EngineJobError: the URL is no http(s) URL, the host is public or a metadata service, or has
            no address.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise EngineJobError("PROFILES_OPENAI_BASE_URL must look like http://127.0.0.1:8000/v1")
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        raise EngineJobError(
            f"host {parts.hostname!r} of PROFILES_OPENAI_BASE_URL has no address"
        ) from error
    for item in found:
        address = _plain_address(str(item[4][0]))
        if any(address in network for network in _METADATA):
            raise EngineJobError(
                f"host {parts.hostname!r} ({address}) is a cloud's metadata service with "
                "credentials; correct PROFILES_OPENAI_BASE_URL"
            )
        if not allow_public and not (address.is_loopback or address.is_private):
            raise EngineJobError(
                f"host {parts.hostname!r} is public ({address}); profiles would leave the machine. "
                "Use a local server, or set PROFILES_ALLOW_PUBLIC_ENDPOINT=true if that is wanted"
            )


def _plain_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The address itself; of IPv6 forms that stand for one of IPv4, that one."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped or address.sixtofour:
            return address.ipv4_mapped or address.sixtofour or address
        if address in _TRANSLATED or address in _COMPATIBLE:
            low = int(address) & 0xFFFFFFFF
            return ipaddress.IPv4Address(low) if low > 1 else address
    return address


_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")


def trusted_authorities() -> ssl.SSLContext:
    """Those of SSL_CERT_FILE and SSL_CERT_DIR; where neither is set, the system's and httpx's."""
    context = ssl.create_default_context()
    if not os.environ.get("SSL_CERT_FILE") and not os.environ.get("SSL_CERT_DIR"):
        import certifi

        context.load_verify_locations(certifi.where())
    return context


def place(base_url: str) -> str:
    """Host and port alone: a URL may carry a password."""
    parts = urlsplit(base_url)
    return f"{parts.hostname}:{parts.port or parts.scheme}"
