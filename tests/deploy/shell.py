"""What every answer carries, whoever makes it."""

from app.serving.headers import ALWAYS
from benchmarks.replicas import Answer


def assert_hard_shell(answer: Answer) -> None:
    """The answer carries every header that the application's own answers carry."""
    for name, text in ALWAYS:
        assert answer.headers[name.decode()] == text.decode()
