"""Faults around a worker: network, disks, clock. Each strikes a lane of a worker that joined."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts import embedded
from scripts.embedded.files import PORT, EmbeddedServer
from tests.paths import REPOSITORY
from tests.reliability.cluster import Cluster, engine_mark, engine_processes, wait_for
from tests.reliability.faults import BEFORE
from tests.reliability.watched import ENDED, Row, WatchedRun

CUT_SECONDS = 60.0
FULL_SECONDS = 10.0
_SMALL_DISK = "24m"
_BLOCK = 1 << 16
_LEASES_AN_HOUR_OLDER = (
    "UPDATE synthesis.batch SET leased_at = leased_at - interval '1 hour', "
    "expires_at = expires_at - interval '1 hour' WHERE state = 'leased'"
)


def network_and_disks(cluster: Cluster) -> list[Row]:
    """The network to Postgres, the disk of the results, and the disk of the worker's logs."""
    server = embedded.running(cluster.home)
    assert server is not None
    _end_gpu_worker(cluster)
    results, logs = cluster.home / "small-results", cluster.home / "small-logs"
    with (
        _Proxy(server) as proxy,
        _small_disk(results),
        _small_disk(logs),
    ):
        _move_results(cluster, f"LOCATION '{results / 'space'}'", results / "space", server)
        try:
            with cluster.joined_worker(
                POSTGRES=f"postgresql://postgres@127.0.0.1:{proxy.port}/profiles",
                AIRFLOW__LOGGING__BASE_LOG_FOLDER=str(logs),
                AIRFLOW_HOME=str(logs),
            ):
                return _strike(cluster, proxy, results, logs)
        finally:
            proxy.restore()
            cluster.execute("ALTER TABLE synthesis.completion SET TABLESPACE pg_default")
            cluster.execute("DROP TABLESPACE small", autocommit=True)
            cluster.heal()


def clock_jump(cluster: Cluster) -> list[Row]:
    """The wall clocks of a GPU worker's host and of the database."""
    library, shift = cluster.home / "clock_shift.so", cluster.home / "clock"
    source = REPOSITORY / "tests" / "reliability" / "clock_shift.c"
    compiler = shutil.which("cc")
    assert compiler, "no C compiler: the clock of a process is moved by a library that cc makes"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    shift.write_text("0")
    _end_gpu_worker(cluster)
    with cluster.joined_worker(LD_PRELOAD=str(library), CLOCK_SHIFT_FILE=str(shift)):
        run = WatchedRun.start(cluster, lanes=1, limit=90)
        recoveries = []
        for strike in (
            lambda: shift.write_text("3600"),
            lambda: shift.write_text("0"),
            lambda: cluster.execute(_LEASES_AN_HOUR_OLDER),
        ):
            run.wait_stored(len(run.stored()) + BEFORE)
            run.strike(strike)
            recoveries.append(run.wait_recovered())
        run.wait_end("success")
    cluster.heal()
    expired = cluster.rows(
        "SELECT count(*) FROM synthesis.batch WHERE run_id = %s AND state = 'expired' "
        "AND extract(epoch FROM ended_at) < %s",
        run.run_id,
        run.struck_at,
    )
    assert expired[0][0] == 0, "a lease ended with the clock of a worker"
    titles = (
        "the clock of the GPU worker's host jumps one hour ahead",
        "the clock of the GPU worker's host jumps one hour back",
        "the clock of the database jumps one hour ahead",
    )
    notes = (
        "worker, task and engine are told so; leases use the database's clock and none ended",
        "the same",
        "leases were set back by an hour in SQL; what ended too early is leased again",
    )
    return [
        run.row(title, recovery_seconds=recovery, number=number, note=note)
        for number, (title, recovery, note) in enumerate(
            zip(titles, recoveries, notes, strict=True)
        )
    ]


def one_gpu(cluster: Cluster) -> Row:
    """two lanes on a host with one GPU (a stand-in for SGLang and its card)"""
    model = cluster.home / "model"
    model.mkdir()
    (model / "config.json").write_text('{"model_type": "llama", "max_position_embeddings": 262144}')
    _end_gpu_worker(cluster)
    stand_in = REPOSITORY / "tests" / "fake_sglang"
    with cluster.joined_worker(
        GPU_COUNT="2",
        CUDA_VISIBLE_DEVICES="0",
        PYTHONPATH=os.pathsep.join([os.environ["PYTHONPATH"], str(stand_in)]),
        PROFILES_ENGINE_OPTIONS="{}",
    ):
        run = WatchedRun.start(cluster, lanes=2, engine="sglang", model=str(model), limit=60)
        run.strike(lambda: None)
        wait_for(lambda: _lanes_that_run(run) == 2, what="two lanes at once")
        wait_for(lambda: _has_ended(run), what=f"the end of {run.run_id}")
    cluster.heal()
    return run.row(
        one_gpu.__doc__ or "",
        recovery_seconds=0.0,
        note="both tasks ran and at no time more than one had an engine; the other waited for the "
        "card's lock. The stand-in's answers are no profiles and are rejected; it keeps no log of "
        "its calls, so none is known to be repeated",
    )


def _lanes_that_run(run: WatchedRun) -> int:
    _require_one_engine(run)
    statement = "SELECT count(*) FROM synthesis.lane WHERE run_id = %s AND state = 'running'"
    return int(run.cluster.rows(statement, run.run_id)[0][0])


def _has_ended(run: WatchedRun) -> bool:
    _require_one_engine(run)
    return run.cluster.run_state(run.run_id) in ENDED


def _require_one_engine(run: WatchedRun) -> None:
    lanes = {engine_mark(process) for process in engine_processes(run.run_id)} - {""}
    assert len(lanes) <= 1, f"two lanes have an engine on one card: {lanes}"


def _end_gpu_worker(cluster: Cluster) -> None:
    """So that a worker that joins is the only one for lanes."""
    worker = cluster.service("gpu-worker")
    worker.terminate()
    worker.wait(timeout=60)


def _strike(cluster: Cluster, proxy: _Proxy, results: Path, logs: Path) -> list[Row]:
    faults: tuple[tuple[str, Callable[[], None], Callable[[], None], float, str], ...] = (
        (
            f"the network to Postgres is cut for {CUT_SECONDS:.0f} s",
            proxy.cut,
            proxy.restore,
            CUT_SECONDS,
            "through a proxy that forwards nothing and closes nothing; longer than a lease, which "
            "nobody else wanted",
        ),
        (
            f"the disk of the results is full for {FULL_SECONDS:.0f} s",
            lambda: _fill(results),
            lambda: _free(results),
            FULL_SECONDS,
            "their table lies on a small file system; the lane keeps the answers meanwhile",
        ),
        (
            f"the disk of the worker's logs and home is full for {FULL_SECONDS:.0f} s",
            lambda: _fill(logs),
            lambda: _free(logs),
            FULL_SECONDS,
            "a small file system",
        ),
    )
    run = WatchedRun.start(cluster, lanes=1)
    recoveries = []
    for _, strike, end, seconds, _ in faults:
        run.wait_stored(len(run.stored()) + BEFORE)
        run.strike(strike)
        time.sleep(seconds)
        end()
        recoveries.append(run.wait_recovered())
    run.wait_end("success")
    return [
        run.row(title, recovery_seconds=recovery, number=number, note=note)
        for number, ((title, _, _, _, note), recovery) in enumerate(
            zip(faults, recoveries, strict=True)
        )
    ]


def _move_results(cluster: Cluster, location: str, folder: Path, server: EmbeddedServer) -> None:
    folder.mkdir()
    if server.owner:
        owner = pwd.getpwnam(server.owner)
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    cluster.execute(f"CREATE TABLESPACE small {location}", autocommit=True)
    cluster.execute("ALTER TABLE synthesis.completion SET TABLESPACE small")


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    """A file system of its own, which needs root."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={_SMALL_DISK},mode=0755", "tmpfs", str(folder)]
    subprocess.run(command, check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(folder: Path) -> None:
    with (folder / "ballast").open("wb", buffering=0) as ballast:
        try:
            while True:
                ballast.write(bytes(_BLOCK))
        except OSError:
            return


def _free(folder: Path) -> None:
    (folder / "ballast").unlink()


class _Proxy:
    """Forwards TCP connections to the server's socket, until it is told to forward nothing."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._path = f"{server.socket_dir}/.s.PGSQL.{PORT}"
        self._flows = threading.Event()
        self._flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def __enter__(self) -> _Proxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.restore()
        self._listener.close()

    def cut(self) -> None:
        """Nothing gets through, and nobody is told."""
        self._flows.clear()

    def restore(self) -> None:
        """Let messages arrive that were sent meanwhile."""
        self._flows.set()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            self._flows.wait()
            server.connect(self._path)
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(_BLOCK):
                self._flows.wait()
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue


ROWS = (one_gpu, clock_jump, network_and_disks)
