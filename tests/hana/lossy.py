"""A connection to the server that is interrupted over and over."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Lossy:
    """A proxy that breaks each connection after a number of bytes from the client."""

    def __init__(self, port: int, most: int) -> None:
        """Forward to a port of 127.0.0.1; break after `most` bytes."""
        self.port, self.most = port, most
        self.broken = 0
        self.listener = socket.create_server(("127.0.0.1", 0))

    @property
    def address(self) -> str:
        """The address of the proxy."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self) -> None:
        """Accept connections until the listener is closed."""
        while True:
            try:
                sender, _address = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(sender,), daemon=True).start()

    def _pass_on(self, sender: socket.socket) -> None:
        with sender, socket.create_connection(("127.0.0.1", self.port)) as target:
            back = threading.Thread(target=_pump, args=(target, sender), daemon=True)
            back.start()
            count = 0
            while count < self.most and (data := _receive(sender)):
                count += len(data)
                target.sendall(data)
            if count >= self.most:
                self.broken += 1
                for end in (sender, target):
                    end.shutdown(socket.SHUT_RDWR)  # Closing alone would leave them to the pump.
                return
            back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    while data := _receive(source):
        try:
            target.sendall(data)
        except OSError:
            return


def _receive(source: socket.socket) -> bytes:
    try:
        return source.recv(1 << 16)
    except OSError:
        return b""


@contextmanager
def lossy(port: int, most: int) -> Iterator[Lossy]:
    """Run a proxy for the length of the block."""
    proxy = Lossy(port, most)
    thread = threading.Thread(target=proxy.serve, daemon=True)
    thread.start()
    yield proxy
    proxy.listener.close()
