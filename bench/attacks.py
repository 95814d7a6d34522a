"""Attacks on a running archive, bounded, to test that it withstands them.

    python -m bench.attacks NAME|all [--url http://127.0.0.1:8000] [--pid N] [--token TOKEN]

- ``memory``: 60 MB of escapes in a form, and deep and wide JSON, eight at once.
- ``slow``: 300 senders who send a byte now and then, and 300 readers who hardly read.
- ``chunks``: 24 senders of chunked bodies that are nearly all chunk extensions, trailers, one-byte
  chunks or blank lines.
- ``costly``: statistics with another port in the Host each time, and pictures by 60 clients.
- ``uploads``: a ZIP of 240 MB of newlines, and a small one of a million invalid games.
- ``positions``: twenty requests at once, each with thousands of actions, then with as many as are
  accepted.
- ``reports``: twenty requests at once for the report of an upload of large illegal games.
- ``webhooks``: ten webhooks of the account of ``--token`` lead to a receiver that sends a byte a
  second, while another sender's 100 games are read. The site needs ``HANA_PRIVATE_WEBHOOKS=1``.

Another visitor, from the address 127.0.0.2, requests the first page all the while, and its times
are printed; ``--pid`` of a web process adds its peak memory. Only for a site of your own: uploads
stay in it.
"""

from __future__ import annotations

import argparse
import http.client
import io
import json
import random
import socket
import statistics
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

MIB: Final = 1 << 20
SLOW: Final = 300
LARGE: Final = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
FORM: Final = "application/x-www-form-urlencoded"
#: The address of the visitor who requests the first page.
VISITOR: Final = "127.0.0.2"
#: Maximum seconds that an answer is awaited.
TIMEOUT_SECONDS: Final = 60.0
#: Seconds after which a limit of a minute is certainly over.
RECOVERY_SECONDS: Final = 90.0


class Site:
    """The archive at an address. ``token`` is that of an account that may upload."""

    def __init__(self, url: str, pid: int | None, token: str = "") -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or 80
        self.pid = pid
        self.token = token

    def ask(
        self,
        method: str,
        path: str,
        body: Iterator[bytes] | bytes | None = None,
        headers: dict[str, str] | None = None,
        sender: str = "127.0.0.1",
    ) -> tuple[int, bytes]:
        """Status and body of an answer; 0 without one. ``sender`` is our own address."""
        connection = http.client.HTTPConnection(
            self.host, self.port, timeout=TIMEOUT_SECONDS, source_address=(sender, 0)
        )
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()

    def line(self) -> socket.socket:
        """A connection."""
        found = socket.socket()
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        found.settimeout(TIMEOUT_SECONDS)
        found.connect((self.host, self.port))
        return found

    def memory(self) -> float:
        """MB of the given process, 0 without one."""
        if self.pid is None:
            return 0.0
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * 4096 / 1e6


@contextmanager
def watched(site: Site, what: str) -> Iterator[Counter[int]]:
    """Request the first page until the attack ends, and print the result."""
    over = threading.Event()
    times: list[float] = []
    statuses: Counter[int] = Counter()
    most = before = site.memory()

    def look() -> None:
        nonlocal most
        while not over.is_set():
            began = time.monotonic()
            status, _body = site.ask("GET", "/", sender=VISITOR)
            times.append(time.monotonic() - began)
            statuses[status] += 1
            most = max(most, site.memory())
            over.wait(0.05)

    watcher = threading.Thread(target=look)
    watcher.start()
    answers: Counter[int] = Counter()
    began = time.monotonic()
    try:
        yield answers
    finally:
        seconds = time.monotonic() - began
        over.set()
        watcher.join()
        cuts = statistics.quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
        line = f"{what}: {seconds:.0f} s; answers {dict(answers)}; first page {dict(statuses)}"
        line += f", p50 {cuts[49] * 1000:,.0f} ms, p95 {cuts[94] * 1000:,.0f} ms"
        line += f", p99 {cuts[98] * 1000:,.0f} ms"
        print(line + (f"; memory +{most - before:,.0f} MB" if site.pid else ""), flush=True)


def memory(site: Site) -> None:
    """Large bodies instead of a few words."""

    def pieces(piece: bytes, size: int) -> Iterator[bytes]:
        yield b"a="
        for _ in range(size // len(piece)):
            yield piece

    bodies = [
        ("POST", "/language/", FORM, b"%41" * 20_000),
        ("POST", "/check/", FORM, b"%41" * 20_000),
        ("PATCH", "/api/v1/uploads/x", "application/json", b"{}," * 20_000),
        ("POST", "/api/v1/verify", "application/json", b"[" * 60_000),
    ]
    for method, path, media, piece in bodies:
        size = 60 * MIB // len(piece) * len(piece) + 2
        headers = {"Content-Type": media, "Content-Length": str(size)}
        with watched(site, f"memory {path}") as answers, ThreadPoolExecutor(8) as pool:
            threads = [
                pool.submit(site.ask, method, path, pieces(piece, 60 * MIB), headers)
                for _ in range(8)
            ]
            answers.update(one.result()[0] for one in threads)


def slow(site: Site, seconds: float = 15.0) -> None:
    """Slow senders and readers."""
    head = "POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-kafu\r\n"
    head += "Content-Length: 1000000\r\n\r\n"
    wanted = f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n" * 8
    with ExitStack() as stack, watched(site, f"slow, {SLOW} + {SLOW}") as answers:
        senders = [stack.enter_context(site.line()) for _ in range(SLOW)]
        readers = [stack.enter_context(site.line()) for _ in range(SLOW)]
        for line in senders:
            line.sendall(head.encode() + b"#" * 70_000)
        for line in readers:
            line.sendall(wanted.encode())
        for line in (*senders, *readers):
            line.setblocking(False)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for line in senders:
                _quietly(partial(line.send, b"#"))
            for line in readers:
                _quietly(partial(line.recv, 400))
            time.sleep(0.5)
        answers[len(senders) + len(readers)] += 0


def chunks(site: Site, seconds: float = 15.0) -> None:
    """Send up to 97 MB of chunk overhead on each of 24 connections."""
    head = b"POST /upload/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    overheads = {
        "extension": (head + b"5;", b"e" * MIB),
        "trailer": (head + b"0\r\nA: ", b"t" * MIB),
        "one-byte chunks": (head, b"1\r\nx\r\n" * (MIB // 6)),
        "blank lines": (b"", b"\r\n" * (MIB // 2)),
    }

    def send(start: bytes, piece: bytes) -> int:
        """Return the status of the response, or 0 without one."""
        until = time.monotonic() + seconds
        with site.line() as line:
            line.settimeout(2)
            try:
                line.sendall(start)
                for _ in range(97_000_000 // MIB):
                    if time.monotonic() > until:
                        return 0
                    line.sendall(piece)
            except OSError:
                pass  # the server no longer reads; its response may be there
            try:
                return int(line.recv(12)[9:] or 0)
            except OSError:
                return 0

    for name, (start, piece) in overheads.items():
        with watched(site, f"chunks, {name}") as answers, ThreadPoolExecutor(24) as pool:
            responses = [pool.submit(send, start, piece) for _ in range(24)]
            answers.update(response.result() for response in responses)


def _quietly(act: Callable[[], object]) -> None:
    try:
        act()
    except OSError:
        pass  # no answer, or the server hung up


def costly(site: Site, seconds: float = 15.0) -> None:
    """Slow answers, each different."""
    names, keys = _names(site), _keys(site)
    if len(names) < 2 or not keys:
        raise SystemExit("costly: expected a site with games of koikoi")
    with watched(site, "statistics, 16 clients") as answers:
        _together(16, seconds, lambda r: _statistics(site, r, names), answers)
    wait_for_recovery(site)
    with watched(site, "pictures, 60 clients") as answers:
        path = "/games/{}/1.{}.png"
        _together(
            60,
            seconds,
            lambda r: site.ask("GET", path.format(r.choice(keys), r.randrange(9)))[0],
            answers,
        )


def wait_for_recovery(site: Site) -> None:
    """Wait until requests are allowed again: the limit that ended the last attack lasts a
    minute.
    """
    until = time.monotonic() + RECOVERY_SECONDS
    while site.ask("GET", "/api/v1/records?page_size=1")[0] != 200:
        if time.monotonic() > until:
            raise SystemExit(f"{site.host}:{site.port} does not answer any more")
        time.sleep(1)


def _statistics(site: Site, random: random.Random, names: list[str]) -> int:
    player, opponent = random.sample(names, 2)
    path = "/api/v1/statistics/scores?ruleset=koikoi&player={}&opponent={}"
    address = path.format(player.replace(" ", "+"), opponent.replace(" ", "+"))
    return site.ask("GET", address, None, {"Host": f"localhost:{random.randrange(65536)}"})[0]


def _together(
    count: int, seconds: float, ask: Callable[[random.Random], int], answers: Counter[int]
) -> None:
    until = time.monotonic() + seconds

    def client(seed: int) -> Counter[int]:
        own, found = random.Random(seed), Counter[int]()
        while time.monotonic() < until:
            found[ask(own)] += 1
        return found

    with ThreadPoolExecutor(count) as pool:
        for found in pool.map(client, range(count)):
            answers.update(found)


def _keys(site: Site) -> list[str]:
    status, body = site.ask("GET", "/api/v1/records?page_size=200")
    return [one["key"] for one in json.loads(body)["results"]] if status == 200 else []


def _names(site: Site) -> list[str]:
    path = "/api/v1/statistics/players?ruleset=koikoi&games_min=1&page_size=200"
    status, body = site.ask("GET", path)
    found = json.loads(body)["rows"] if status == 200 else []
    return [str(one["player"]) for one in found]


def uploads(site: Site) -> None:
    """Small archives with large contents; the results are on the pages whose addresses are
    printed.
    """
    for name, member in (
        ("newlines", b"\n" * (240 * 1_000_000)),
        ("a million games that are none", b"[Kafu]\n\n" * 1_000_000),
    ):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr("a.kafu", member)
        body = packed.getvalue()
        headers = {"Content-Type": "application/zip"}
        with watched(site, f"uploads, {name}: {len(body):,} bytes") as answers:
            status, answer = site.ask("POST", "/api/v1/uploads", body, headers)
            answers[status] += 1
            if status != 202:
                continue
            url = urlsplit(json.loads(answer)["url"]).path
            until = time.monotonic() + 300
            while time.monotonic() < until:
                state = json.loads(site.ask("GET", url)[1] or b"{}")
                if state.get("state") == "done":
                    break
                time.sleep(1)
            print(f"  {url}: {state.get('state')}, {state.get('games')}", flush=True)


def positions(site: Site, seconds: float = 15.0) -> None:
    """Send requests that add many actions to a game."""
    game = simulate("koikoi", seed=1)
    deal = next(number for number, month in enumerate(game.months, start=1) if month.turns)
    month = game.months[deal - 1]
    turn = month.hands[month.dealer][0] + "/B" * 49
    for name, turns in (("200 turns of 50 actions", [turn] * 200), ("200 actions", [turn] * 4)):
        fields = {"kafu": write(game), "at": f"{deal}.0", "do": turns}
        send = partial(_position, site, json.dumps(fields).encode())
        with watched(site, f"positions, {name}, 20 at once") as answers:
            _together(20, seconds, send, answers)
        wait_for_recovery(site)


def _position(site: Site, body: bytes, _random: random.Random) -> int:
    return site.ask("POST", "/api/v1/positions", body, {"Content-Type": "application/json"})[0]


def reports(site: Site, seconds: float = 15.0) -> None:
    """Request the uncached report of 20 illegal games of 0.9 MB."""
    filler = "{" + "large " * 150_000 + "}\n"
    games = [_game(f"illegal {number}", is_illegal=True) + filler for number in range(20)]
    key = _uploaded(site, "\n".join(games))
    with watched(site, "reports, 20 at once") as answers:
        _together(
            20,
            seconds,
            lambda r: site.ask("GET", f"/uploads/{key}/?page={r.randrange(10**9)}")[0],
            answers,
        )


def webhooks(site: Site) -> None:
    """Upload games of one sender while receivers of another account are slow."""
    if not site.token:
        raise SystemExit("webhooks: expected --token of an account that may upload")
    bearer = {"Authorization": f"Bearer {site.token}"}
    kafu = {"Content-Type": "text/x-kafu"}
    with slow_receiver() as port:
        for number in range(10):
            body = json.dumps({"url": f"http://127.0.0.1:{port}/{number}"}).encode()
            status, _answer = site.ask(
                "POST", "/api/v1/me/webhooks", body, bearer | {"Content-Type": "application/json"}
            )
            if status != 201:
                raise SystemExit(f"webhooks: adding one was answered {status}")
        for number in range(20):
            body = _game(f"own {number}").encode()
            site.ask("POST", "/api/v1/uploads", body, bearer | kafu)
        time.sleep(2)
        began = time.monotonic()
        games = "\n".join(_game(f"other {number}") for number in range(100))
        with watched(site, "webhooks, 10 slow receivers") as answers:
            _uploaded(site, games, sender="127.0.0.3")
            answers[202] += 1
        print(f"  100 games of another sender were read after {time.monotonic() - began:.1f} s")


@contextmanager
def slow_receiver() -> Iterator[int]:
    """Run a server that sends one byte a second to each client; yield its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def answer(line: socket.socket) -> None:
        with line:
            while not over.wait(1):
                try:
                    line.sendall(b"H")
                except OSError:
                    return

    def accept() -> None:
        while not over.is_set():
            try:
                line, _address = listener.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(line,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        over.set()
        listener.close()


def _game(name: str, *, is_illegal: bool = False) -> str:
    """Return a koi-koi year with a first player of this name; illegal in its first turn."""
    game = simulate("koikoi", seed=1)
    game.players = (name, *game.players[1:])
    if is_illegal:
        month = next(month for month in game.months if month.turns)
        turn: Any = month.turns[0]
        turn.play, turn.take = month.hands[3 - month.dealer][0], ""
    return write(game)


def _uploaded(site: Site, games: str, *, sender: str = "127.0.0.1") -> str:
    """Upload games and wait until they are read; return the key of the upload."""
    headers = {"Content-Type": "text/x-kafu"}
    status, answer = site.ask("POST", "/api/v1/uploads", games.encode(), headers, sender)
    if status != 202:
        raise SystemExit(f"an upload was answered {status}: {answer[:200]!r}")
    upload = json.loads(answer)
    until = time.monotonic() + 300
    while time.monotonic() < until:
        state = json.loads(site.ask("GET", urlsplit(upload["url"]).path, sender=sender)[1] or b"{}")
        if state.get("state") == "done":
            break
        time.sleep(0.2)
    return str(upload["key"])


ATTACKS: Final = {
    "memory": memory,
    "slow": slow,
    "chunks": chunks,
    "costly": costly,
    "uploads": uploads,
    "positions": positions,
    "reports": reports,
    "webhooks": webhooks,
}


def main() -> None:
    """Run one attack, or all, one after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("attack", choices=(*ATTACKS, "all"))
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--pid", type=int, help="of a web process, to watch its memory")
    parser.add_argument("--token", default="", help="of an account that may upload, for webhooks")
    arguments = parser.parse_args()
    site = Site(arguments.url, arguments.pid, arguments.token)
    for name in ATTACKS if arguments.attack == "all" else (arguments.attack,):
        wait_for_recovery(site)
        ATTACKS[name](site)


if __name__ == "__main__":
    main()
