"""The admin page of jobs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from lengths import part
from records.jobs import kinds
from records.jobs.ledger import LeaseLost, claim, hold
from records.models import Job
from tests.people.test_admin import act
from tests.people.world import session, user
from tests.records.makers import text, upload, work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

LIST = "admin:records_job_changelist"


@pytest.fixture
def staff() -> Client:
    """Return a browser in which staff is logged in."""
    return session(user("staff", staff=True))


def list_jobs(browser: Client, **parameters: str) -> set[int]:
    """Return the primary keys of the jobs in a list."""
    page = browser.get(reverse(LIST), parameters)
    assert page.status_code == 200
    return {job.pk for job in page.context["cl"].result_list}


@pytest.fixture
def jobs() -> dict[str, Job]:
    """Create a job of each state, and a stuck job."""
    now = timezone.now()
    states = {
        "waiting": {"kind": "ratings", "due_at": now},
        "leased": {"kind": "dump", "lease_until": now + timedelta(hours=1), "progress": 5},
        "done": {"kind": "dump", "done_at": now, "progress": 7, "total": 7},
        "failed": {"kind": "leave", "attempts": 2, "reason": "OSError: no", "due_at": now},
        "dead-letter": {"kind": "visibility", "reason": "ValueError: boom", "done_at": now},
    }
    jobs_by_state = {
        state: Job.objects.create(state=state, subject=state, **values)
        for state, values in states.items()
    }
    long_ago = now - timedelta(days=1)
    jobs_by_state["stuck"] = Job.objects.create(kind="ratings", subject="stuck", due_at=long_ago)
    return jobs_by_state


def test_jobs_are_filtered_by_state(staff: Client, jobs: dict[str, Job]) -> None:
    pks = {name: job.pk for name, job in jobs.items()}
    assert list_jobs(staff) == set(pks.values()) - {pks["done"]}
    assert list_jobs(staff, state="all") == set(pks.values())
    assert list_jobs(staff, state="stuck") == {pks["stuck"]}
    assert list_jobs(staff, state="waiting") == {pks["waiting"], pks["stuck"]}
    for state in ("leased", "done", "failed", "dead-letter"):
        assert list_jobs(staff, state=state) == {pks[state]}
    assert list_jobs(staff, kind="dump", state="all") == {pks["leased"], pks["done"]}
    page = staff.get(reverse(LIST), {"state": "all"}).content.decode()
    for word in ("7 of 7", "ValueError: boom", "failed, will be tried again", "given up"):
        assert word in page


@pytest.mark.parametrize("language", part(["ja", "en"]))
def test_job_of_every_kind_has_a_page_in_both_languages(staff: Client, language: str) -> None:
    for kind in kinds.kinds():
        job = Job.objects.create(kind=kind.name, subject="x", reason="r" * 300)
        page = staff.get(
            reverse("admin:records_job_change", args=[job.pk]),
            headers={"accept-language": language},
        )
        assert page.status_code == 200 and "r" * 300 in page.content.decode()
    assert len(list_jobs(staff)) == len(kinds.kinds())


def test_job_of_an_obsolete_kind_is_listed(staff: Client) -> None:
    job = Job.objects.create(kind="obsolete", subject="x")
    assert list_jobs(staff) == {job.pk}


def test_dead_job_that_is_tried_again_is_done(staff: Client) -> None:
    up = upload(text(1).encode())
    Job.objects.update(state="dead-letter", attempts=3, reason="broken", done_at=timezone.now())
    act(staff, "records.job", "try_again", *Job.objects.all())
    job = Job.objects.get()
    assert (job.state, job.attempts, job.reason, job.done_at) == ("waiting", 0, "", None)
    work_all()
    assert up.progress()["state"] == "done"
    act(staff, "records.job", "try_again", *Job.objects.all())
    assert set(Job.objects.filter(upload=up).values_list("state", flat=True)) == {"done"}


def test_running_job_that_is_given_up_loses_its_lease(staff: Client) -> None:
    up = upload(text(1).encode())
    job = claim(Job.objects.get().pk)
    assert job is not None
    act(staff, "records.job", "give_up", job)
    with pytest.raises(LeaseLost):
        hold(job)
    job.refresh_from_db()
    assert (job.state, job.reason) == ("dead-letter", "given up by staff")
    assert up.progress()["files_dead_lettered"] == 1
    assert up.progress()["state"] == "done"


def test_user_with_the_right_to_look_changes_nothing() -> None:
    looker = user("looker")
    looker.is_staff = True
    looker.save()
    looker.user_permissions.add(Permission.objects.get(codename="view_job"))
    browser = session(looker)
    job = Job.objects.create(kind="ratings", subject="koikoi", state="failed")
    assert list_jobs(browser) == {job.pk}
    act(browser, "records.job", "give_up", job)
    job.refresh_from_db()
    assert job.state == "failed"
