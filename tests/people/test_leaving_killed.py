"""The process that withdraws the games of a closed account is killed, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable

from tests.conftest import Environment, Hana
from tests.people.test_at_once import code

CLOSE = """
    from django.contrib.auth.models import User
    from people.accounts import closing as accounts
    from tests.people.world import sent
    from tests.records.makers import text
    aya, ben = (User.objects.create(username=name) for name in ("aya", "ben"))
    sent(*(text(seed) for seed in range(1, 13)), owner=aya)
    sent(*(text(seed) for seed in range(1, 4)), owner=ben)
    accounts.close(aya, withdraw=True)
    print("closed")
"""
#: A game a batch. Each tells that it is done before it is, and then takes its time.
FOLLOW = """
    import time
    from django.contrib.auth.models import User
    from records.work import tasks
    from records.store import ownership as ownerships
    ownerships.BATCH = 1
    update_records = ownerships.update_records
    def slow(*given, **more):
        update_records(*given, **more)
        if given[0]:
            print("game", flush=True)
        time.sleep({pause})
    ownerships.update_records = slow
    end = time.monotonic() + 30
    while User.objects.filter(username__startswith="closed").exists() and time.monotonic() < end:
        tasks.do_next() or time.sleep(0.05)
"""
CHECK = """
    from django.contrib.auth.models import User
    from records.models import Job, Ownership, Record, Visibility
    from tests.people.test_holdings import sound
    sound()
    print(User.objects.get(), Job.objects.get(kind="withdraw").state, Ownership.objects.count())
    print(*Record.objects.order_by("pk").values_list("visibility", flat=True))
"""


def test_it_ends_as_if_nobody_had_been(hana: Hana, hana_env: Callable[..., Environment]) -> None:
    env = hana_env(postgres=True, DJANGO_SETTINGS_MODULE="hanaarchive.settings")

    def said(script: str) -> list[str]:
        process = hana.start_python(*code(script), env=env)
        assert process.wait(60) == 0
        assert process.stdout is not None
        return process.stdout.read().splitlines()

    assert said(CLOSE) == ["closed"]
    for _ in range(2):
        killed = hana.start_python(*code(FOLLOW.format(pause=0.2)), env=env)
        assert killed.stdout is not None
        assert [killed.stdout.readline() for _ in range(3)] == ["game\n"] * 3
        killed.kill()  # in the midst of a game's transaction
        killed.wait()
    both = [hana.start_python(*code(FOLLOW.format(pause=0)), env=env) for _ in range(2)]
    done = 0
    for process in both:
        assert process.wait(60) == 0
        assert process.stdout is not None
        done += process.stdout.read().split().count("game")
    assert done == 12 - 4  # two of each three were safe
    people, levels = said(CHECK)
    assert people == "ben done 3"
    assert sorted(levels.split()) == ["0"] * 9 + ["3"] * 3
