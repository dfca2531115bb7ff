"""The engine process: reads requests from standard input, writes completions to standard output.

Started by `engine_client` with `python -m … PARENT_PID NETWORK`, in an interpreter and a session of
its own. What a library prints goes to standard error, the log file.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from dataclasses import replace

from profiles.synthesis.engines import engine_factory
from profiles.synthesis.process.confinement import HOST, NONE, follow_parent, isolate_network
from profiles.synthesis.process.engine_streams import Channel
from profiles.synthesis.process.protocol import EXIT_FAILED, EngineJob
from profiles.synthesis.process.service import Service, failure_of

log = logging.getLogger("profiles.engine_process")


def serve(channel: Channel, network: str) -> int:
    """Loads the engine of the job that comes first and serves; returns the exit code."""
    job = channel.receive()
    if not isinstance(job, EngineJob):
        log.error("the first line must be a job")
        return EXIT_FAILED
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    started = time.monotonic()
    try:
        engine = engine_factory(job.engine)(job)
        ready = engine.load()
    except Exception as error:
        # Process edge: libraries fail in their own ways, and the log has the traceback.
        log.exception("load failed")
        channel.send(failure_of(error))
        return EXIT_FAILED
    details = {"pid": os.getpid(), "python": sys.version.split()[0], "network": network}
    ready = replace(
        ready,
        engine=job.engine,
        load_seconds=round(time.monotonic() - started, 3),
        details=ready.details | details,
    )
    channel.send(ready)
    try:
        return loop.run_until_complete(Service(engine, ready, channel, job).run())
    finally:
        channel.flush()
        engine.close()


def main() -> None:
    """Runs the process and ends it at once: a library's threads must not delay the exit."""
    # Before there is a second thread, the channel's: then the kernel gives no user namespace.
    network = isolate_network() if sys.argv[2] == NONE else HOST
    channel = Channel.take_over_stdio()
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
    )
    follow_parent(int(sys.argv[1]))
    code = EXIT_FAILED
    try:
        code = serve(channel, network)
    except Exception:
        # Process edge: nothing above could handle it; the exit code tells the lane.
        log.exception("engine process failed")
    finally:
        channel.flush()
        sys.stderr.flush()
        os._exit(code)


# SGLang's children import this file again under another name; only the first one is the engine.
if __name__ == "__main__":
    main()
