"""Responses to the requests of the editors, by the functions of the API.

The JavaScript engine of the site uses `call` in place of `kafu.bridge.call`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils import translation

from kafu import bridge
from kafu.facade.errors import Error
from records.device.analysis import analyse_part
from records.pages.learn.lessons import LESSONS
from records.pages.learn.month import play_month
from records.services.editing import edit_game, letters_by_name, refusal
from records.services.sheet_editing import write_sheet_response
from records.shapes.hints import from_values
from records.shapes.names import Letters
from records.shapes.positions import Edit
from records.shapes.shape import to_values
from records.shapes.sheets import SheetForm


def call(name: str, arguments: str) -> str:
    """Call a function of `FUNCTIONS` with ``fields`` in the language ``lang``, or of the library.

    Takes and returns JSON objects as `kafu.bridge.call`; the message of an error is in ``lang``.

    >>> call("cards", '{"lang": "en", "fields": {"names": "crane, 8-bright"}}')
    '{"value": {"letters": "Ac"}}'
    """
    if name not in FUNCTIONS:
        return bridge.call(name, arguments)
    parameters = json.loads(arguments)
    with translation.override(parameters["lang"]):
        try:
            result = {"value": to_values(FUNCTIONS[name](parameters["fields"]))}
        except Error as error:
            result = {"error": {"code": error.code, "message": refusal(error)}}
    return json.dumps(result, ensure_ascii=False)


def _edit(fields: Mapping[str, Any]) -> Any:
    return edit_game(from_values(Edit, fields))


def _write_sheet(fields: Mapping[str, Any]) -> Any:
    return write_sheet_response(from_values(SheetForm, fields))


def _find_letters(fields: Mapping[str, Any]) -> Letters:
    return Letters(letters_by_name(fields["names"], fields["lying"]))


def _play_month(fields: Mapping[str, Any]) -> dict[str, Any]:
    ruleset: str = fields["ruleset"]
    return play_month(ruleset, LESSONS[ruleset].options, fields["seed"], fields["actions"])


#: The functions by the last part of the address of the request.
FUNCTIONS: Final[dict[str, Callable[[Mapping[str, Any]], Any]]] = {
    "positions": _edit,
    "sheets": _write_sheet,
    "cards": _find_letters,
    "month": _play_month,
    "analysis": analyse_part,
}
