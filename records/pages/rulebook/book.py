"""The pages of the rulebook, one for each ruleset and house, from files in ``templates/rules/``.

A file is a template of Markdown, named by its ruleset and language. A ruleset without a file has
the page of ``default``, from its description alone. The tags are in `templatetags.rulebook`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from django.template.loader import select_template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from kafu.rules.description import Ruleset
from kafu.rules.house_rules import Preset
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.pages.rulebook.entries import RulebookEntry, card_groups
from records.pages.rulebook.glossary import link_words
from records.serving.parameters import Parameters, one_of

#: The parameter that chooses a preset.
PRESET: Final[Parameters] = {
    "preset": one_of(
        {preset.id for description in RULESETS.values() for preset in description.presets}
    )
}
#: A yaku of more cards is not drawn in lists.
FEW: Final = 5
_MARKDOWN: Final = MarkdownIt("commonmark").enable("table")
#: The end of a heading that has an anchor: ``## Cards dealt {#deal}``. The word ``fold`` folds the
#: section: ``## Payments {#payments fold}``.
_ANCHORED: Final = re.compile(r"(.+) \{#([\w-]+)( fold)?\}")
#: The anchor of the section with a page of its own.
OPTIONS: Final = "options"
_SECTION: Final = re.compile(r"(?=<h2 id=)")
#: Rulings after a sentence: `` [K3] [K4]``.
_RULINGS: Final = re.compile(r"(?:\s*\[[A-Z]\d+\])+")
_RULING: Final = re.compile(r"[A-Z]\d+")


@dataclass(frozen=True, slots=True)
class RuleOption:
    """Options with the same meaning: each name with its default, the values, and the meaning."""

    defaults: Mapping[str, str]
    values: tuple[str, ...]
    about: str


@dataclass(frozen=True, slots=True)
class Page:
    """The rules of a ruleset in one house, in one language.

    ``profile`` is the ruleset's id if there is only one house. ``summary`` is the first paragraph,
    ``lead`` the part before the first heading. ``contents`` are anchors and headings.
    ``options_body`` is the section of the options, empty for rules without options. ``entries`` are
    the yaku and other values of the page in its order.
    """

    ruleset: str
    profile: str
    summary: str
    lead: SafeString
    body: SafeString
    contents: tuple[tuple[str, str], ...]
    options: tuple[RuleOption, ...]
    options_body: SafeString
    entries: tuple[RulebookEntry, ...]


def find(ruleset: str, profile: str = "", preset: str = "") -> Page | None:
    """Return the page of a house in the language of the request; None for an unknown house.

    By default the house is the ruleset's document. A ``preset`` sets options of its house; it is
    unknown in other houses.
    """
    description = RULESETS.get(ruleset)
    chosen = profile or ruleset
    if description is None or chosen not in description.profiles:
        return None
    presets = {choice.id: choice.options for choice in list_presets(ruleset, chosen)}
    if preset and preset not in presets:
        return None
    return _render(description, chosen, tuple(presets.get(preset, {}).items()), labels.lang())


def name_house(page: Page, preset: str) -> str:
    """Return the name of a preset, by default of the house of a page."""
    names = {
        choice.id: choice.name.label(labels.lang())
        for choice in list_presets(page.ruleset, page.profile)
    }
    return names.get(preset) or labels.house(page.profile)


def list_presets(ruleset: str, profile: str) -> list[Preset]:
    """Return the presets of a house."""
    return [
        preset
        for preset in RULESETS[ruleset].presets
        if preset.options.get("profile", ruleset) == profile
    ]


@cache
def _render(
    description: Ruleset, profile: str, changes: tuple[tuple[str, str], ...], language: str
) -> Page:
    options: list[RuleOption] = []
    entries: list[RulebookEntry] = []
    house = {"profile": profile} if len(description.profiles) > 1 else {}
    house_options = {**house, **dict(changes)}
    machine = description.machine(house_options, description.seats[0])
    template = select_template(
        [f"rules/{description.id}.{language}.md", f"rules/default.{language}.md"]
    )
    text = template.render(
        {
            "rules": description,
            "profile": profile,
            "machine": machine,
            "pays_each": description.zero_sum(house_options),
            "has_card_points": description.card_points is not None,
            "options": options,
            "entries": entries,
        }
    )
    tokens = _MARKDOWN.parse(text)
    headings = list(_anchor_headings(tokens))
    link_words(tokens, language)
    _tighten_lists(tokens)
    html = _RULINGS.sub(_link_rulings, _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
    lead, *sections = _SECTION.split(html)
    by_anchor = dict(zip((heading.anchor for heading in headings), sections, strict=True))
    # Rulings are on the page of the rules.
    rules = address_of(description.id, profile)
    _heading, _end, options_body = by_anchor.pop(OPTIONS, "").partition("</h2>")
    folded = {heading.anchor for heading in headings if heading.is_folded}
    body = (
        _fold(section) if anchor in folded else section for anchor, section in by_anchor.items()
    )
    return Page(
        ruleset=description.id,
        profile=profile,
        summary=tokens[1].content if tokens[0].type == "paragraph_open" else "",
        lead=mark_safe(lead),
        body=mark_safe("".join(body)),
        contents=tuple((heading.anchor, heading.title) for heading in headings),
        options=tuple(options),
        options_body=mark_safe(options_body.replace('href="#', f'href="{rules}#')),
        entries=tuple(entries),
    )


class Heading(NamedTuple):
    """A heading with its anchor. ``is_folded``: its section is folded."""

    anchor: str
    title: str
    is_folded: bool


def _anchor_headings(tokens: list[Token]) -> Iterator[Heading]:
    """Set the anchors of headings. Yield the headings."""
    for opening, inline in pairwise(tokens):
        match = _ANCHORED.fullmatch(inline.content) if opening.type == "heading_open" else None
        if match:
            title, anchor, fold = match.groups()
            opening.attrSet("id", anchor)
            inline.children = _MARKDOWN.parseInline(title)[0].children
            yield Heading(anchor, title, bool(fold))


def _fold(section: str) -> str:
    """Return a section whose text is folded below its heading."""
    heading, end, text = section.partition("</h2>")
    return f'<details class="fold"><summary>{heading}{end}</summary>{text}</details>\n'


def _tighten_lists(tokens: list[Token]) -> None:
    """Remove the paragraphs of list items, which the blank lines of omitted items would make."""
    for token in tokens:
        if token.type.startswith("paragraph_") and token.level == 2:
            token.hidden = True


def _link_rulings(marks: re.Match[str]) -> str:
    links = (
        '<a href="#{0}" title="{0}" aria-label="{1} {0}">{1}</a>'.format(number, _("note"))
        for number in _RULING.findall(marks[0])
    )
    return f'&#8288;<sup class="marks">{" ".join(links)}</sup>'


def render_inline(text: str) -> SafeString:
    """Return the HTML of a sentence or two in Markdown."""
    return mark_safe(_MARKDOWN.renderInline(text.strip()))


def strip_rulings(text: str) -> str:
    """Return a text without its citations of rulings."""
    return _RULINGS.sub("", text).strip()


def address_of(ruleset: str, profile: str = "", name: str = "rulebook") -> str:
    """Return the address of the rules of a house; "" if the house is unknown.

    ``name`` is the name of the address, by default of the rules themselves.
    """
    chosen = profile or ruleset
    if ruleset not in RULESETS or chosen not in RULESETS[ruleset].profiles:
        return ""
    return reverse(name, args=[ruleset] if chosen == ruleset else [ruleset, chosen])


def section_address(ruleset: str, anchor: str) -> str:
    """Return the address of a section of a ruleset's rules."""
    if anchor == OPTIONS:
        return address_of(ruleset, name="rule-options")
    return f"{address_of(ruleset)}#{anchor}"


@cache
def yaku_cards(ruleset: str, profile: str) -> Mapping[str, str]:
    """Return the letters of captured yaku of few cards by id, most valuable yaku first."""
    description = RULESETS.get(ruleset)
    if description is None:
        return {}
    is_choice = profile in description.houses and len(description.houses) > 1
    house_options = {"profile": profile} if is_choice else {}
    groups = {row.id: tuple(card_groups(row)) for row in description.captured_yaku(house_options)}
    return {
        id: drawn[0].letters
        for id, drawn in groups.items()
        if len(drawn) == 1 and len(drawn[0].letters) <= FEW
    }
