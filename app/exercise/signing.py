"""Signatures of runs and results: HMAC-SHA256 with the key of this server.

The key is the setting `exercise_key`. Without one a key is made at the start, and what was signed
is known until the server ends. Signatures of runs and of results do not stand for one another.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from dataclasses import dataclass

from app.settings import MADE, Settings

RUN, RESULT, TEACHER = b"seegrad run\0", b"seegrad result\0", b"seegrad teacher\0"


@dataclass(frozen=True, slots=True)
class Key:
    """A key; `is_made` if it lasts until the server ends."""

    secret: bytes
    is_made: bool = False

    def signature(self, purpose: bytes, text: bytes) -> str:
        """The signature of a text for a purpose."""
        return _encoded(hmac.digest(self.secret, purpose + text, hashlib.sha256))

    def is_genuine(self, purpose: bytes, text: bytes, signature: str) -> bool:
        """Whether a signature is that of a text, compared in constant time."""
        due = self.signature(purpose, text)
        return hmac.compare_digest(due.encode(), signature.encode("utf-8", "replace"))

    def sealed(self, text: bytes) -> str:
        """A text with its signature, for a form of the page."""
        return f"{_encoded(text)}.{self.signature(RUN, text)}"

    def opened(self, sealed: str) -> bytes | None:
        """The text of `sealed`, None unless the signature is genuine."""
        body, _, signature = sealed.partition(".")
        try:
            text = base64.urlsafe_b64decode(body.encode("ascii") + b"=" * (-len(body) % 4))
        except (binascii.Error, ValueError):
            return None
        is_own = _encoded(text) == body  # one text has one encoding
        return text if is_own and self.is_genuine(RUN, text, signature) else None


def key_of(settings: Settings) -> Key:
    """The key of the settings, or a new one."""
    text = settings.text("exercise_key")
    if not text:
        return Key(secrets.token_bytes(32), is_made=True)
    return Key(text.encode(), is_made=text.startswith(MADE))


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
