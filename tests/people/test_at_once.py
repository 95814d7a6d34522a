"""Owners who decide while workers store: on PostgreSQL, as processes do it."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from tests.conftest import Environment, Hana

#: One process sends the same games again and again, in public and not, under two names; the other
#: decides about them meanwhile. What is left must be as the ownerships say.
SENDER = """
    import random, sys
    from django.contrib.auth.models import User
    from records.models import Ownership, Record, Visibility
    from records.store.ownership import change_visibility
    from tests.people.world import sent
    from tests.records.makers import text
    chance = random.Random(int({seed}))
    owner = User.objects.get_or_create(username="user{seed}")[0]
    texts = [text(seed) for seed in range(1, 5)]
    for turn in range(12):
        chance.shuffle(texts)
        level = chance.choice([1, 2, 3])
        sent(*texts[:3], owner=owner, visibility=level)
        pks = list(Record.objects.values_list("pk", flat=True))
        chance.shuffle(pks)
        change_visibility(owner=owner.pk, records=pks[:2], visibility=chance.choice([0, 1, 2, 3]))
"""
CHECK = """
    from tests.people.test_holdings import sound
    sound()
    from records.models import Record
    print("games", Record.objects.count())
"""


def code(script: str) -> list[str]:
    """Arguments of Python that run this with the archive set up."""
    return ["-c", f"import django; django.setup()\n{dedent(script)}"]


def run_at_once(hana: Hana, env: Environment, sender: str, check: str) -> str:
    """Run ``sender`` with seeds 1 and 2 at once, then ``check``; returns what that writes."""
    both = [hana.start_python(*code(sender.format(seed=seed)), env=env) for seed in (1, 2)]
    for process in both:
        assert process.wait(120) == 0
    done = hana.start_python(*code(check), env=env)
    assert done.wait(60) == 0
    assert done.stdout is not None
    return str(done.stdout.read())


def test_nothing_is_out_of_step(hana: Hana, hana_env: Callable[..., Environment]) -> None:
    env = hana_env(postgres=True, DJANGO_SETTINGS_MODULE="hanaarchive.settings")
    assert run_at_once(hana, env, SENDER, CHECK).split() == ["games", "4"]


#: Two processes claim the same uploads while workers read them.
CLAIMER = """
    from django.contrib.auth.models import User
    from records.models import Upload
    from records.privacy.secret import hashed
    from records.store.claims import NotClaimable, claim
    from records.work.worker import Worker
    from tests.records import makers
    from records.intake.receiving import Part, receive
    owner = User.objects.get_or_create(username="user{seed}")[0]
    for turn in range(3):
        secret = "s" * 30 + str(turn)
        games = "\\n".join(makers.text(seed) for seed in range(turn, turn + 3))
        receive(
            parts=[Part("a.kafu", (games.encode(),))], via="api", secret=hashed(secret + "{seed}")
        )
        Worker().step()
        for upload in Upload.objects.filter(owner=None):
            for sender in "12":
                try:
                    claim(upload.key, secret + sender, owner.pk)
                except NotClaimable:
                    pass
        for _ in range(6):
            makers.hurry()
            Worker().step()
"""
CLAIMED = """
    from tests.people.test_holdings import sound
    from tests.records import makers
    from records.models import Ownership, Upload
    makers.work_all()
    sound()
    for upload in Upload.objects.exclude(owner=None):
        assert (upload.secret, upload.claim) == ("", 0)
    for one in Ownership.objects.all():
        sent = one.record.submissions.filter(upload__owner=one.owner)
        assert sent.exists(), (one.owner, one.record)
    for upload in Upload.objects.all():
        for one in upload.submissions.all():
            assert one.record.ownerships.filter(owner=upload.owner).exists(), (upload.owner, one)
    print("owned", Upload.objects.exclude(owner=None).count() > 0)
"""


def test_two_accounts_that_claim_uploads_at_the_same_time(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(postgres=True, DJANGO_SETTINGS_MODULE="hanaarchive.settings")
    assert run_at_once(hana, env, CLAIMER, CLAIMED).split() == ["owned", "True"]
