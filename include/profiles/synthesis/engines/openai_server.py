"""A server of OpenAI's chat API: which ones an engine may call, and what one has answered."""

from __future__ import annotations

import ipaddress
import math
import os
import re
import socket
import ssl
import time
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from profiles.errors import EngineJobError
from profiles.models import Completion, Request
from profiles.synthesis.engines import failed, whole_answer

_REFUSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "fd00:c1::/32", "fd00:42::/32",
        "fd20:ce::/32", "192.0.0.192/32", "100.100.100.200/32", "168.63.129.16/32",
        "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16",
    )
)  # fmt: skip
"""Addresses of the clouds' metadata services, which hand out credentials, and forms of IPv6 that
stand for an address of IPv4, such as one of these."""


def reject_public(base_url: str, *, allow_public: bool = False) -> None:
    """Passes loopback and private addresses, and no metadata service, however it is written."""
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
        address = ipaddress.ip_address(str(item[4][0]).partition("%")[0])
        address = getattr(address, "ipv4_mapped", None) or address
        if not address.is_loopback and any(address in network for network in _REFUSED):
            raise EngineJobError(
                f"host {parts.hostname!r} ({address}) is a cloud's metadata service with "
                "credentials, or may stand for one; correct PROFILES_OPENAI_BASE_URL"
            )
        if not allow_public and not (address.is_loopback or address.is_private):
            raise EngineJobError(
                f"host {parts.hostname!r} is public ({address}); profiles would leave the machine. "
                "Use a local server, or set PROFILES_ALLOW_PUBLIC_ENDPOINT=true if that is wanted"
            )


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


_OWN_FAULTS = re.compile(r"4(?!01|03|04|08|25|29)\d\d|invalid|context|length|too_l", re.IGNORECASE)
"""Codes and types of an error object that no repetition of the request changes."""
_CUT = re.compile(r"length|max_?(?:new_)?tokens")
_FILTERED = re.compile(r"filter|safety")
"""Gateways pass on what their servers call it: `length`, `MAX_TOKENS`, `model_length`, `SAFETY`."""


def chat_body(request: Request) -> dict[str, Any]:
    sampling = request.sampling
    body: dict[str, Any] = {
        "messages": [{"role": item.role, "content": item.content} for item in request.messages],
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_new_tokens,
    }
    if sampling.stop:
        body["stop"] = list(sampling.stop)
    if sampling.seed is not None:
        body["seed"] = sampling.seed
    return body


def error_inside(answer: Any) -> str | None:
    """The code of an error that came with HTTP 200, as gateways report one of the server behind."""
    if not isinstance(answer, dict):
        return "fault no object"
    choices = answer.get("choices")
    choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
    has_failed = choice.get("finish_reason") == "error"
    error = answer.get("error") or choice.get("error") or has_failed
    if not error:
        return None
    fields = _object(error)
    code = " ".join(str(fields[name]) for name in ("code", "type") if fields.get(name))
    return "error inside" if _OWN_FAULTS.search(code) else "away error inside"


def completion_of(request: Request, answer: dict[str, Any], seconds: float) -> Completion:
    try:
        choice = answer["choices"][0]
        text = _text_of(choice["message"]["content"])
    except (KeyError, IndexError, TypeError):
        return failed(request, "answer without choices", seconds=seconds)
    usage = _object(answer.get("usage"))
    spent = _count(usage.get("completion_tokens"))
    ending = str(choice.get("finish_reason")).lower()
    if _FILTERED.search(ending):
        return failed(request, "content filter", seconds=seconds, is_lasting=True)
    if not text and not spent and not choice["message"].get("refusal"):
        return failed(request, "empty answer", seconds=seconds)
    return Completion(
        request_id=request.request_id,
        text=whole_answer(request, text),
        finish_reason="length" if _CUT.search(ending) else "stop",
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=spent,
        cached_tokens=_count(_object(usage.get("prompt_tokens_details")).get("cached_tokens")),
        seconds=seconds,
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    """A number of tokens; 0 for anything else that a server writes there."""
    is_number = isinstance(value, int | float) and 0 <= value < _MOST_TOKENS
    return int(value) if is_number else 0


_MOST_TOKENS = 2**31


def _text_of(content: Any) -> str:
    """The text of a message, which some servers hand over in parts."""
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, dict) else part for part in content)
        return "".join(part for part in parts if isinstance(part, str))
    return str(content or "")


_MOST_SECONDS_ASKED = 900.0
"""A server may name the next day."""


def retry_after_seconds(text: str) -> float:
    """The wait that a Retry-After header asks for, in seconds or as a date; 0 without one."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except ValueError:
            return 0.0
    return min(max(seconds, 0.0), _MOST_SECONDS_ASKED) if math.isfinite(seconds) else 0.0
