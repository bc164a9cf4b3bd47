"""A server on this machine that answers as tests say."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

TABLE = b"model,f1\na,1\nb,2\n"


class Handler(BaseHTTPRequestHandler):
    """Serves what is registered by path; anything else is not found."""

    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        """Answer."""
        self.server.asked.append((self.path, dict(self.headers)))
        answer = self.server.answers.get(urlsplit(self.path).path)
        if callable(answer):
            with suppress(OSError):
                answer(self)
        elif answer is None:
            self.send_error(404)
        else:
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)


@contextmanager
def serving():
    """Serve a table at ``/t.csv``, and what is added to ``answers``; ``at`` is where, ``asked`` what was asked."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.answers, made.asked, made.daemon_threads = {"/t.csv": TABLE}, [], True
    made.at = f"http://127.0.0.1:{made.server_address[1]}"
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join()
