"""Bad input processed on PostgreSQL; `tests/faults/test_short.py` kills workers of both forms."""

from collections import Counter
from collections.abc import Callable

import pytest

from tests.conftest import Environment, Hana
from tests.records.ingest.test_bad_input import GAMES, WHOLE_FILES
from tests.records.jobs.ledger import WORK_OFF, Ledger, hand_in
from tests.records.makers import joined, text

MakeEnv = Callable[..., Environment]


@pytest.mark.long_only  # `test_bad_input.py` has the input, `test_short.py` both databases
def test_bad_input_stops_no_worker_on_postgresql(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(postgres=True, HANA_CHUNK_GAMES="3")
    texts = [piece for game in GAMES.values() for piece in (text(1), game)]
    hand_in(hana, env, *WHOLE_FILES.values(), joined(*texts), then=WORK_OFF)
    ledger = Ledger(env)
    assert ledger.is_done()
    assert ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'chunk'") == 1
    statuses = Counter(status for (status,) in ledger.ask("SELECT status FROM records_submission"))
    malformed = len(WHOLE_FILES) + len(GAMES)
    assert statuses == {"malformed": malformed, "verified": len(GAMES)}
