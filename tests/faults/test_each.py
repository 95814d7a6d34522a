"""Each fault while uploads are processed, one after the other on one site."""

from random import Random

import pytest

from tests.conftest import Hana
from tests.faults.conftest import MakeSite
from tests.faults.games import mixed, zipped
from tests.faults.hurts import Hurts, in_mid_work, slowed
from tests.faults.site import ROLES

pytestmark = pytest.mark.faults


def test_each_fault_loses_no_upload(make_site: MakeSite, hana: Hana) -> None:
    site = make_site(*ROLES)
    hurts = Hurts(site, Random(1))
    for number, name in enumerate(hurts.all):
        print(name)
        site.upload(slowed(f"Aya {number}", f"Gin {number}"))
        site.upload(zipped(one=mixed(f"Hana {number}"), two=mixed(f"Iku {number}")), "games.zip")
        site.wait(lambda: in_mid_work(site))
        hurts.do(name)
        site.upload(mixed(f"Jun {number}"))  # No sender notices.
        site.settle(hana)
