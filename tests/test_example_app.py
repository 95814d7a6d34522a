"""The example app in one file, in a browser: a month of koi-koi, saved to the player's account."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import Hana, bare_env
from tests.records.pages.accounts import sign_up
from tests.services import free_port, serve_folder

FILE = Path(__file__).parent.parent / "kafu/javascript/examples/koikoi.html"


@pytest.fixture
def archive(new_var: Callable[[], Path]) -> Iterator[str]:
    """Start an archive that knows its address; the address."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    env = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()), HANA_URL=address)
    runner = Hana()
    runner.web(env, port)
    runner.start("worker", env=env)
    yield address
    runner.end()


@pytest.fixture
def app_folder(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Start a site on another origin; its folder and the address of the app."""
    with serve_folder(tmp_path) as address:
        yield tmp_path, f"{address}koikoi.html"


def play(page: Page) -> None:
    """Play a month, always the first choice."""
    page.get_by_role("button", name="Deal").click()
    buttons = page.locator("#choices button")
    while buttons.first.inner_text() != "Save to my archive":
        steps = page.locator("#steps li").count()
        buttons.first.click()
        expect(page.locator("#steps li")).not_to_have_count(steps)
        buttons.first.wait_for()


def test_player_saves_a_game_of_an_app_on_another_site(
    page: Page, archive: str, app_folder: tuple[Path, str]
) -> None:
    folder, address = app_folder
    sign_up(page.context, archive, "aya")
    page.goto(f"{archive}/me/apps/")
    page.get_by_text("Do you write an application?").click()
    page.get_by_label("Name").fill("Koi app")
    page.get_by_label("Redirect addresses").fill(address)
    page.get_by_role("button", name="Register").click()
    client = page.locator("details code").first.inner_text()
    text = FILE.read_text().replace("https://archive.example", archive)
    (folder / FILE.name).write_text(text.replace("the client id of your app", client))

    page.goto(address)
    play(page)
    page.get_by_role("button", name="Save to my archive").click()
    page.get_by_role("button", name="Refuse").click()
    expect(page.locator("#message")).to_have_text("The game is not saved.")
    assert page.url == address
    page.get_by_role("button", name="Save to my archive").click()
    expect(page.get_by_role("heading")).to_have_text("May Koi app use your account?")
    page.get_by_role("button", name="Allow").click()
    expect(page.locator("#message")).to_contain_text("The verdict of the archive: verified.")
    assert page.url == address, "the code is not in the address"
    page.get_by_role("link", name="Open it in the archive.").click()
    expect(page.locator("main")).to_contain_text("Computer")
    page.goto(f"{archive}/me/apps/")
    expect(page.locator("main")).to_contain_text("Koi app")
