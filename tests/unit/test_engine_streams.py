"""The lane's end of an engine's pipes: whole messages, the end, and nothing that blocks."""

from __future__ import annotations

import os
import time

from profiles.synthesis.process.engine_streams import PolledChannel
from profiles.synthesis.process.protocol import Stop, encode


def ends() -> tuple[PolledChannel, int, int]:
    """A channel, and the descriptors of the process that it would talk to."""
    from_process, output = os.pipe()
    inputs, to_process = os.pipe()
    channel = PolledChannel(
        os.fdopen(from_process, "rb", buffering=0), os.fdopen(to_process, "wb", buffering=0)
    )
    return channel, output, inputs


def test_what_a_crash_cut_short_is_dropped_and_the_end_is_noticed():
    channel, output, inputs = ends()
    os.write(output, encode(Stop()) + encode(Stop())[:-1])
    os.close(output)
    found = []
    while not channel.at_end:
        found += channel.poll(5)
    assert found == [Stop()]
    channel.close()
    os.close(inputs)


def test_a_process_that_reads_nothing_blocks_neither_send_nor_poll():
    channel, output, inputs = ends()
    started = time.monotonic()
    for _ in range(20_000):
        channel.send(Stop())
    assert channel.poll(0.05) == []
    assert time.monotonic() - started < 5
    os.close(inputs)
    os.close(output)
    channel.close()
