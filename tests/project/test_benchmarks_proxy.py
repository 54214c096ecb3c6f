"""`benchmarks.proxy`: what wrk says is read right. No timing here."""

import pytest

from benchmarks.proxy import measured

SAID = """\
Running 2s test @ http://127.0.0.1:8080/
  2 threads and 32 connections
  Latency Distribution
     50%    1.02ms
     99%    {slow}
  81234 requests in 2.00s, 60.00MB read
{more}Requests/sec:  40617.25
Transfer/sec:     30.00MB
"""


@pytest.mark.parametrize(
    ("slow", "milliseconds"), [("3.20ms", 3.2), ("900.00us", 0.9), ("1.50s", 1500.0)]
)
def test_rate_and_percentile(slow: str, milliseconds: float) -> None:
    assert measured(SAID.format(slow=slow, more="")) == pytest.approx((40617.25, milliseconds))


@pytest.mark.parametrize(
    "more",
    ["  Non-2xx or 3xx responses: 7\n", "  Socket errors: connect 0, read 3, write 0, timeout 0\n"],
)
def test_a_run_with_errors_is_no_measurement(more: str) -> None:
    with pytest.raises(ValueError, match="requests in"):
        measured(SAID.format(slow="1.00ms", more=more))
