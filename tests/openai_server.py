"""An OpenAI-compatible server of this machine, and requests to it."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from profiles.models import Completion, Message, Request, Sampling
from profiles.synthesis.engines.openai import OpenAIEngine
from profiles.synthesis.process.protocol import EngineJob

Answer = tuple[int, Any]


class Server:
    """An OpenAI-compatible server whose answers a test writes; it remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answers: list[Answer] = []
        self.models = ["small-model"]
        self.unlisted: list[str] = []
        self.retry_after = ""
        self.delay = 0.0
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.reply(200, {"data": [{"id": name} for name in owner.models]})

            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(size))
                if body["model"] not in (*owner.models, *owner.unlisted):
                    return self.reply(404, {"error": {"code": "model_not_found"}})
                owner.asked.append(body)
                owner.headers.append({k.lower(): v for k, v in self.headers.items()})
                time.sleep(owner.delay)
                return self.reply(*(owner.answers.pop(0) if owner.answers else (200, chat())))

            def reply(self, status: int, body: Any) -> None:
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                if status == 429 and owner.retry_after:
                    self.send_header("Retry-After", owner.retry_after)
                if status == 302:
                    self.send_header("Location", "http://example.com/")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def chat(text: str = '{"skills": [], "summary": "x"}', finish: str = "stop") -> dict[str, Any]:
    return {
        "choices": [{"message": {"content": text}, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": 10,
            "completion_tokens": 4,
            "prompt_tokens_details": {"cached_tokens": 6},
        },
    }


def job(url: str, **more: Any) -> EngineJob:
    options = {"patience_seconds": 0.5, **more.pop("options", {})}
    return EngineJob("openai", base_url=url, options=options, max_in_flight=4, **more)


def request(**more: Any) -> Request:
    messages = (Message("system", "be brief"), Message("user", "a profile"))
    return Request("1", messages, Sampling(seed=3), **more)


def ask(server: Server, *requests: Request, **more: Any) -> list[Completion]:
    async def run() -> list[Completion]:
        return list(await asyncio.gather(*(engine.generate(item) for item in requests)))

    engine = OpenAIEngine(job(server.url, **more))
    engine.load()
    with asyncio.Runner() as runner:
        found = runner.run(run())
        runner.run(engine._client.aclose())
    return found
