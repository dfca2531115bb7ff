"""Servers that an engine may call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from profiles.errors import EngineJobError
from profiles.synthesis.engines.openai_server import reject_public


def resolving(*addresses: str) -> Callable[..., list[tuple[Any, ...]]]:
    return lambda *_args, **_more: [(0, 0, 0, "", (address, 443)) for address in addresses]


class TestPublicHosts:
    @pytest.mark.parametrize(
        "address", ["127.0.0.1", "::1", "10.1.2.3", "172.16.0.9", "192.168.1.5", "fd00::1"]
    )
    def test_loopback_and_private_addresses_pass(self, address, monkeypatch):
        monkeypatch.setattr("socket.getaddrinfo", resolving(address))
        reject_public("http://models.local:8000/v1")

    @pytest.mark.parametrize(
        "addresses",
        [("8.8.8.8",), ("2606:4700::1",), ("10.0.0.1", "8.8.8.8")],
    )
    def test_any_other_address_is_refused(self, addresses, monkeypatch):
        monkeypatch.setattr("socket.getaddrinfo", resolving(*addresses))
        with pytest.raises(EngineJobError, match="PROFILES_ALLOW_PUBLIC_ENDPOINT"):
            reject_public("https://api.example.com/v1")

    @pytest.mark.parametrize(
        "host",
        [
            "169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518",
            "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]",
            "[2002:a9fe:a9fe::]", "[::a9fe:a9fe]", "[fd00:ec2::254]", "[fe80::a9fe:a9fe]",
            "192.0.0.192", "100.100.100.200", "[64:ff9b:1::a9fe:a9fe]", "[::ffff:0:a9fe:a9fe]",
            "[2001:0:1::5601:5601]", "[fd00:c1::a9fe:a9fe]", "[fd00:42::42]",
        ],
    )  # fmt: skip
    def test_metadata_services_are_refused_in_every_notation(self, host):
        for allowed in (False, True):
            with pytest.raises(EngineJobError, match="metadata"):
                reject_public(f"http://{host}/v1", allow_public=allowed)

    def test_the_operator_may_allow_it(self, monkeypatch):
        monkeypatch.setattr("socket.getaddrinfo", resolving("8.8.8.8"))
        reject_public("https://api.example.com/v1", allow_public=True)

    @pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "file:///etc/passwd", "http://"])
    def test_what_is_no_http_address_is_refused(self, url):
        with pytest.raises(EngineJobError, match="PROFILES_OPENAI_BASE_URL"):
            reject_public(url)
