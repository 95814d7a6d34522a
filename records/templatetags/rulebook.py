"""Tags of the rule pages in ``templates/rules/``, which show parts of a ruleset's description.

Their output is Markdown, or HTML without blank lines, which Markdown does not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from kafu.rules.description import Ruleset
from kafu.rules.grades import SCALES, GradeScale
from kafu.rules.house_rules import HouseOption
from kafu.rules.names import GRADES, YAKU
from kafu.rules.rulesets import RULESETS
from kafu.rules.teyaku import HandYaku
from records.base import labels
from records.pages.rulebook.book import RuleOption, render_inline, strip_rulings
from records.pages.rulebook.entries import (
    CardGroup,
    RulebookEntry,
    captured_entry,
    dealt_entry,
    format_amount,
    points_entry,
)
from records.pages.rulebook.payments import format_values, list_groups
from records.wording.cards import card_views

register = template.Library()
Context = template.Context


@register.simple_tag(takes_context=True)
def facts(context: Context) -> SafeString:
    """Show the number of players, cards and months of a house, and its unit."""
    description: Ruleset = context["rules"]
    least, most = description.seats[0], description.seats[-1]
    players = _("%(least)d to %(most)d") if most > least else _("%(least)d players")
    deal = _("%(hand)d cards each, %(field)d on the field")
    unit = _("mon (文)") if description.mon else _("points")
    if description.kan:
        unit = (
            _("mon (文); %(count)d are a kan (貫)")
            if description.mon
            else _("points; %(count)d are a kan (貫)")
        )
    months = description.defaults(context["profile"]).get("months", description.months)
    rows = (
        (_("Number of players"), players % {"least": least, "most": most}),
        (_("Cards dealt"), deal % {"hand": description.hand, "field": description.field}),
        (_("Length"), _("%(months)s months") % {"months": months}),
        (_("Counted in"), unit % {"count": description.unit}),
    )
    items = format_html_join("", "<dt>{}</dt><dd>{}</dd>", rows)
    return format_html('<dl class="tags">{}</dl>', items)


@register.simple_block_tag(takes_context=True)
def yaku(
    context: Context,
    content: str,
    id: str,
    *,
    cards: str = "",
    shown: str = "",
    hidden: str = "",
    worth: str = "",
) -> SafeString:
    """Show a yaku with a text of its own.

    ``cards`` are drawn with it, or an example hand: the cards ``shown``, which the player lays
    open, and the cards ``hidden``. The value is from the table of payments unless ``worth`` has it.
    """
    groups = (
        CardGroup(cards),
        CardGroup(shown, _("laid open")),
        CardGroup(hidden, _("kept hidden"), back=True),
    )
    drawn = tuple(group for group in groups if group.letters)
    entry = RulebookEntry(id, worth or _find_worth(context, id), drawn, (content,))
    return _render_entry(context, entry)


def _find_worth(context: Context, id: str) -> str:
    """Return the value of a yaku in the house, or in houses that play it."""
    description: Ruleset = context["rules"]
    if row := context["machine"].payments.get(id):
        return format_values(description, row)
    dealt = {**description.dealt.rows, **description.dealt.columns} if description.dealt else {}
    return format_amount(description, dealt[id]) if dealt.get(id) else ""


@register.simple_tag(takes_context=True)
def step(context: Context, id: str) -> str:
    """Return the difference of two successive values of a payment."""
    first, second, *_others = context["machine"].payments[id].each
    return format_amount(context["rules"], second - first)


@register.simple_tag(takes_context=True)
def payments(context: Context) -> SafeString:
    """Show the payments of a house."""
    values = {
        "groups": list(list_groups(context["rules"], context["machine"].payments)),
        "japanese": labels.lang() == "ja",
    }
    html = render_to_string("records/_payments.html", values)
    return mark_safe(re.sub(r"\s*\n\s*", " ", html) + "\n")


@register.simple_tag(takes_context=True)
def captured_yaku(context: Context, *, rain: bool = False, **rulings: str) -> SafeString:
    """Show the captured yaku of a house. ``rulings`` are the rulings of `captured_entry`."""
    rows = context["machine"].captured_yaku
    entries = (captured_entry(context["rules"], row, rulings, rain=rain) for row in rows)
    return _join(_render_entry(context, entry) for entry in entries)


@register.simple_tag(takes_context=True)
def dealt_yaku(context: Context, table: Iterable[HandYaku]) -> SafeString:
    """Show the dealt-hand yaku of a table, which go by the number of cards of each month."""
    return _join(_render_entry(context, dealt_entry(context["rules"], row)) for row in table)


@register.simple_tag(takes_context=True)
def card_points(context: Context) -> SafeString:
    """Show the points of captured cards."""
    return _render_entry(context, points_entry(context["rules"]))


@register.simple_tag
def field_grades() -> str:
    """Return the effect of each field grade by the option ``ba``, as a table in Markdown."""
    lang, option = labels.lang(), RULESETS["hachihachi"].options["ba"]
    names = [GRADES[grade].label(lang) for grade in next(iter(SCALES.values()))]
    rows = [[option.label.label(lang), *names], ["---"] * (1 + len(names))]
    rows += [
        [f"{option.value(ba, lang)} `{ba}`", *map(_format_scale, scales.values())]
        for ba, scales in SCALES.items()
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _format_scale(scale: GradeScale) -> str:
    if scale.more:
        return "+" + _("%(amount)d kan") % {"amount": scale.more}
    return f"×{scale.halves / 2:g}"


@register.simple_block_tag(takes_context=True)
def option(context: Context, content: str, names: str) -> SafeString:
    """Show options with the same meaning, and add them to the options of the page.

    ``names`` are separated by blanks, or a pattern such as ``*-step``.
    """
    description: Ruleset = context["rules"]
    defaults = {"profile": context["profile"], **description.defaults(context["profile"])}
    listed = [
        name
        for pattern in names.split()
        for name in description.options
        if fnmatchcase(name, pattern)
    ]
    (values,) = {description.options[name].expected for name in listed}
    chosen = {name: defaults[name] for name in listed}
    context["options"].append(RuleOption(chosen, values, strip_rulings(content)))
    lang = labels.lang()
    labelled_values = (
        (
            name,
            description.options[name].label.label(lang),
            description.options[name].value(value, lang),
        )
        for name, value in chosen.items()
    )
    return format_html(
        "<div><dt>{}</dt><dd>{} <small>{}</small></dd></div>\n",
        format_html_join(
            " ",
            '<span id="option-{}">{} <b>{}</b></span>',
            labelled_values,
        ),
        render_inline(content),
        _list_values(description.options[listed[0]]),
    )


def _list_values(option: HouseOption) -> str:
    """Return the values of an option: words, or a range of numbers."""
    if option.numbers is not None:
        return option.expected[0]
    return " · ".join(option.value(value, labels.lang()) for value in option.names)


@register.simple_block_tag
def ruling(content: str, number: str) -> SafeString:
    """Show a ruling in a sentence or two, under its number."""
    return format_html(
        '<div id="{0}"><dt>{0}</dt><dd>{1}</dd></div>\n', number, render_inline(content)
    )


def _render_entry(context: Context, entry: RulebookEntry) -> SafeString:
    """Return the HTML of an entry, and add it to the entries of the page."""
    context["entries"].append(entry)
    japanese = labels.lang() == "ja"
    values: dict[str, Any] = {
        "entry": entry,
        "name": YAKU.get(entry.id) or GRADES[entry.id],
        "groups": [(group, _draw(group.letters)) for group in entry.groups],
        "text": render_inline(("" if japanese else " ").join(entry.notes)),
        "japanese": japanese,
    }
    html = render_to_string("records/_entry.html", values)
    return mark_safe(html.replace("\n", "") + "\n")


def _draw(letters: str) -> SafeString:
    return _join(_draw_card(letter, labels.lang()) for letter in letters)


@cache
def _draw_card(letter: str, language: str) -> SafeString:
    values = {"card": card_views(letter)[0], "sprite": static("records/cards.svg")}
    return render_to_string("records/_card.html", values)


def _join(items: Iterable[SafeString]) -> SafeString:
    return mark_safe("".join(items))
