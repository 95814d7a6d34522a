"""Collect every statistics figure of an archive in a JSON file, and compare two such files.

    HANA_VAR=DIRECTORY python -m bench.golden OUT.json.gz [--queries OLD.json.gz]
    python -m bench.golden --compare OLD.json.gz NEW.json.gz [--rows 5]

The archive is the SQLite database in HANA_VAR. The requests go through the public API in process,
so that files of different code versions can be compared. With `--queries` the requests are those of
another file; otherwise they are drawn from the API's lists, with a fixed seed. Prints the duration
of the uncached requests.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

from bench.corpus import number, table

API: Final = "/api/v1"
#: Number of random queries of insights; of games of a ruleset with situations; of steps per game.
INSIGHTS: Final = 200
GAMES: Final = 10
STEPS: Final = 4
#: Maximum number of pages of a list.
PAGES: Final = 3
#: An option of some games of the ruleset.
OPTIONS: Final = {
    "koikoi": "months=6",
    "hachihachi": "ba=B",
    "hachihachi-bga": "months=6",
    "ten-five-one": "months=3",
}
#: Parameters of single figures.
FORMS: Final[Mapping[str, Sequence[dict[str, str]]]] = {
    "scores": [{"of": "game"}],
    "decisions": [
        *({"by": by} for by in ("none", "yaku", "left", "opp", "yaku,left", "yaku,left,opp")),
        *({"left": "4", "by": "none"}, {"opp": "8"}, {"yaku": "akatan"}),
    ],
    "openings": [{"of": "card"}, {"field": "BEJK"}, {"n_min": "10"}],
    "versus": [{"by": "month"}],
    "players": [{"sort": "won"}, {"games_min": "1", "page_size": "7"}, {"games_min": "30"}],
    "ratings": [{"games_min": "1", "page_size": "1000"}, {"page_size": "9"}],
    "bests": [{"form": "sheet"}, {"form": "all"}],
}
#: The compared fields of a response, without explanatory texts and times.
COMPARED: Final = (
    *("games", "deals_played", "n", "total", "rows", "notes"),
    *("complete", "steps", "situation", "results", "status", "code"),
)

Queries = dict[str, Any]
Get = Callable[[str], Any]


def main() -> int:
    """Collect or compare; the exit code is 1 if files differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, nargs="?", help="the file to write")
    parser.add_argument(
        "--queries", type=Path, metavar="OLD", help="repeat the requests of this file"
    )
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"))
    parser.add_argument("--rows", type=int, default=5, help="differences shown of a response")
    arguments = parser.parse_args()
    if arguments.compare:
        old, new = (read_queries(path) for path in arguments.compare)
        return compare(old, new, arguments.rows)
    if arguments.out is None:
        parser.error("expected a file to write, or --compare")
    earlier = read_queries(arguments.queries) if arguments.queries else None
    write_queries(arguments.out, collect(earlier))
    return 0


def read_queries(path: Path) -> Queries:
    """Return the responses of a file by address."""
    queries: Queries = json.loads(gzip.decompress(path.read_bytes()))["queries"]
    return queries


def write_queries(path: Path, queries: Queries) -> None:
    """Write responses, always the same bytes for the same responses."""
    text = json.dumps({"queries": queries}, ensure_ascii=False, indent=0, sort_keys=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


# Collecting ---------------------------------------------------------------------------------------


def collect(earlier: Queries | None) -> Queries:
    """Request all addresses; return the responses by address, each page of a list separately."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")
    os.environ.setdefault("HANA_ENV", "development")
    os.environ.setdefault("HANA_LOG_LEVEL", "ERROR")
    os.environ["HANA_RATES"] = "read=1000000/60,work=100000000/60"
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from bench.facts import forget_responses

    settings.ALLOWED_HOSTS = ["*"]
    client: Any = Client()
    forget_responses()

    def get(url: str) -> Any:
        response = client.get(url)
        return {"status": response.status_code} | response.json()

    urls = [url for url in earlier if "#" not in url] if earlier else list(draw_queries(get))
    forget_responses()
    queries: Queries = {}
    seconds: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for url in dict.fromkeys(urls):
        following: str | None = url
        for page in range(PAGES):
            if following is None:
                break
            clock, core = time.perf_counter(), time.process_time()
            body = get(following)
            spent = time.perf_counter() - clock, time.process_time() - core
            seconds[figure_of(url)].append(spent)
            queries[f"{url}#{page + 1}" if page else url] = compared_fields(body)
            following = body.get("next")
    print(f"{len(queries):,} responses; ms of a request by the clock, and of a core:\n")
    print(times_table(seconds))
    return queries


def times_table(seconds: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Return a table of request times by figure, and of all together."""
    together = {"all": [spent for times in seconds.values() for spent in times]}
    rows = [
        [
            name,
            str(len(times)),
            *(
                number(1e3 * percentile(values, part))
                for values in zip(*times, strict=True)
                for part in (50, 95)
            ),
        ]
        for name, times in [*sorted(seconds.items()), *together.items()]
    ]
    heads = ["figure", "requests", "p50", "p95", "p50 of a core", "p95 of a core"]
    return table(heads, rows)


def percentile(values: Sequence[float], part: int) -> float:
    """Return a percentile of the values."""
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[part - 1]


def compared_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the compared fields of a response, and the kind of each column by id."""
    fields = {name: body[name] for name in COMPARED if name in body}
    fields["columns"] = {column["id"]: column["kind"] for column in body.get("columns", ())}
    fields["has_next"] = bool(body.get("next"))
    return fields


def figure_of(url: str) -> str:
    """Return the figure of an address, or `situations`."""
    return url.split("?")[0].split("#")[0].rsplit("/", 1)[-1]


def address(path: str, parameters: Mapping[str, str]) -> str:
    """Return the address of an API resource, without empty parameters."""
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{API}/{path}?{query}" if query else f"{API}/{path}"


def draw_queries(get: Get) -> Iterator[str]:
    """Yield the addresses of figures, of random insights and of situations."""
    figures = get(f"{API}/statistics")["statistics"]
    rulesets = next(figure["rulesets"] for figure in figures if figure["id"] == "seats")
    filters = {ruleset: list(draw_filters(get, ruleset)) for ruleset in rulesets}
    for figure in figures:
        forms: list[dict[str, str]] = [{}, *FORMS.get(figure["id"], ())]
        accepted = {"ruleset", *figure["filters"]}
        for ruleset in figure["rulesets"]:
            for place, parameters in enumerate(filters[ruleset]):
                if not accepted.issuperset(parameters):
                    continue
                # Other forms of the rows only for every fourth filter: of all, of a player …
                for form in forms if place % 4 == 0 else forms[:1]:
                    yield address(f"statistics/{figure['id']}", parameters | form)
        if not figure["ruleset_required"]:
            for parameters in filters[rulesets[0]]:
                if accepted.issuperset(parameters) and {"profile", "option"}.isdisjoint(parameters):
                    yield address(f"statistics/{figure['id']}", parameters | {"ruleset": ""})
    insights = next(figure for figure in figures if figure["id"] == "insights")
    yield from draw_insights(get, insights, filters)
    for ruleset in rulesets:
        yield from draw_situations(get, ruleset)


def draw_filters(get: Get, ruleset: str) -> Iterator[dict[str, str]]:
    """Yield filters of a ruleset, with players, events and houses of its games."""
    players = [
        row["player"]
        for row in get(
            address(
                "statistics/players", {"ruleset": ruleset, "games_min": "1", "page_size": "1000"}
            )
        )["rows"]
    ]
    first, second, third = players[0], players[1], players[len(players) // 2]
    last = players[-1]

    def names_by(dimension: str) -> list[str]:
        query = {"ruleset": ruleset, "metric": "win_rate", "by": dimension}
        return [row["by"] for row in get(address("statistics/insights", query))["rows"]]

    houses, events = names_by("house"), names_by("event")
    option = OPTIONS.get(ruleset, "")
    year = {"from": "2025", "to": "2025"}
    drawn = (
        {},
        *({"profile": house} for house in houses),
        {"player": first},
        {"option": option},
        {"event": events[0]},
        {"event": events[-1][:4]},
        {"seat": "1"},
        {"seat": "2"},
        {"player": third},
        {"player": last},
        year,
        {"from": "2024-03", "to": "2024-03"},
        {"from": "2024", "to": "2025-06"},
        {"from": "2026-04"},
        {"player": first, "opponent": second},
        {"player": second, "opponent": third},
        {"player": first, "seat": "2"},
        {"player": third, **year},
        {"last": "50"},
        {"last": "1"},
        {"last": "1000"},
        {"player": first, "last": "20"},
        {"player": first, "event": events[0]},
        {"profile": houses[-1], **year},
        {"option": option, "seat": "1"},
        {"event": events[1], "from": "2024-06", "to": "2026"},
        {"player": second, "opponent": first, "option": option, "to": "2025"},
    )
    for parameters in drawn:
        if parameters.get("option") != "":
            yield {"ruleset": ruleset, **parameters}


def draw_insights(
    get: Get, insights: Mapping[str, Any], filters: Mapping[str, Sequence[dict[str, str]]]
) -> Iterator[str]:
    """Yield random valid queries of insights."""
    chance = Random("insights")
    schemas = {parameter["name"]: parameter["schema"] for parameter in insights["parameters"]}
    metrics, dimensions = schemas["metric"]["enum"], schemas["by"]["enum"]
    count = 0
    while count < INSIGHTS:
        by = chance.sample(dimensions, chance.choice((0, 1, 1, 2, 2, 2)))
        ruleset = chance.choice(list(filters))
        parameters = dict(chance.choice(filters[ruleset])) if chance.random() < 0.75 else {}
        parameters |= {"ruleset": ruleset, "metric": chance.choice(metrics)}
        parameters |= dict(zip(("by", "by2"), by, strict=False))
        if "ruleset" in by and {"profile", "option"}.isdisjoint(parameters):
            del parameters["ruleset"]
        if chance.random() < 0.2:
            parameters["n_min"] = chance.choice(("2", "10", "50"))
        if chance.random() < 0.2:
            parameters["sort"] = chance.choice(("low", "high"))
        if chance.random() < 0.8:
            parameters["page_size"] = "1000"
        if parameters["metric"] == "yaku_rate" and chance.random() < 0.5:
            parameters["yaku"] = chance.choice(("akatan", "kasu", "goko", "sanko", "aotan"))
        url = address("statistics/insights", parameters)
        body = get(url)
        if body["status"] == 200 and (body["n"] or chance.random() < 0.1):
            count += 1
            yield url


def draw_situations(get: Get, ruleset: str) -> Iterator[str]:
    """Yield the situations at some steps of some games, with every kind of step."""
    chance = Random(f"situations {ruleset}")
    query = {"ruleset": ruleset, "sort": "oldest", "form": "moves", "page_size": "200"}
    keys: list[str] = []
    following: str | None = address("records", query)
    while following is not None:
        page = get(following)
        keys += [row["key"] for row in page["results"]]
        following = page["next"]
    for key in chance.sample(keys, GAMES):
        path = f"records/{key}/situations"
        yield address(path, {})
        steps = get(address(path, {})).get("steps", [])
        chance.shuffle(steps)
        of_kind: Counter[str] = Counter()
        for step in steps:
            if of_kind[step["aspect"]] < STEPS:
                of_kind[step["aspect"]] += 1
                yield address(path, {"at": step["at"], "page_size": "200"})


# Comparing ----------------------------------------------------------------------------------------


def compare(old: Queries, new: Queries, shown: int) -> int:
    """Print the differences between two files and a summary; return 1 if they differ, else 0."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    differing = 0
    for url in sorted(old.keys() | new.keys()):
        before, after = old.get(url), new.get(url)
        if before is None or after is None:
            lines = [("response", "only in " + ("new" if before is None else "old"))]
        else:
            lines = list(differences(before, after))
        if not lines:
            continue
        differing += 1
        print(url)
        for field, words in lines[:shown]:
            print(f"  {field}: {words}")
        if len(lines) > shown:
            print(f"  … {len(lines) - shown:,} more")
        for field, values in Counter(field for field, _ in lines).items():
            counts[figure_of(url), field] += Counter(queries=1, values=values)
    print(f"\n{differing:,} of {len(old.keys() | new.keys()):,} responses differ")
    if counts:
        rows = [
            [*names, str(count["queries"]), str(count["values"])]
            for names, count in sorted(counts.items())
        ]
        print(table(["figure", "what", "responses", "values"], rows))
    return 1 if differing else 0


def differences(old: Any, new: Any) -> Iterator[tuple[str, str]]:
    """Yield the differences between two responses: a field or column, and both values."""
    for name in sorted((old.keys() | new.keys()) - {"rows"}):
        before, after = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            for part in sorted(before.keys() | after.keys()):
                if before.get(part) != after.get(part):
                    yield f"{name}.{part}", change(before.get(part), after.get(part))
        elif before != after:
            yield name, change(before, after)
    kinds = old["columns"] | new["columns"]
    before, after = (by_label(body.get("rows", ()), kinds) for body in (old, new))
    for label in before.keys() | after.keys():
        if label not in after:
            yield "row", f"only in old: {label}"
        elif label not in before:
            yield "row", f"only in new: {label}"
        else:
            row, new_row = before[label], after[label]
            for column in sorted(row.keys() | new_row.keys()):
                if row.get(column) != new_row.get(column):
                    values = change(row.get(column), new_row.get(column))
                    yield column, f"{label}: {values}"
    if before.keys() == after.keys() and list(before) != list(after):
        yield "order of rows", ""


def by_label(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Return rows by the values of their name columns; equal names are numbered."""
    labelled: dict[str, Any] = {}
    times: Counter[str] = Counter()
    for row in rows:
        names = [row[id] for id, kind in kinds.items() if kind == "id" and id in row]
        names = names or [row[id] for id, kind in kinds.items() if kind == "text" and id in row]
        label = " · ".join(map(str, names))
        times[label] += 1
        labelled[f"{label} ({times[label]})" if times[label] > 1 else label] = row
    return labelled


def change(before: Any, after: Any) -> str:
    """Return two values as a short text."""
    return " → ".join(
        text if len(text) <= 120 else f"{text[:120]}…"
        for text in (json.dumps(value, ensure_ascii=False) for value in (before, after))
    )


if __name__ == "__main__":
    sys.exit(main())
