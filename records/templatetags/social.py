"""The title of a page, and the tags that other sites read for a preview of a link."""

from __future__ import annotations

from html import unescape

from django import template
from django.template import Context
from django.template.loader import render_to_string

from records.base import labels
from records.base.release import absolute
from records.drawing.pictures import HEIGHT, WIDTH
from records.pages.link_previews import default_preview

register = template.Library()
#: The end of most titles; the tags name the site apart.
_SITE = " · HanaArchive"


@register.simple_block_tag(takes_context=True)
def head_tags(context: Context, content: str) -> str:
    """Return the tags of a page with the title ``content``.

    The variable ``preview`` has the `records.wording.previews.LinkPreview` of the page.
    """
    title = " ".join(unescape(content).split())  # a block of a title may have several lines
    return render_to_string(
        "_social.html",
        {
            "page_title": title,
            "title": title.removesuffix(_SITE),
            "preview": context.get("preview") or default_preview(context.get("request")),
            "locale": "ja_JP" if labels.lang() == "ja" else "en_GB",
            "lang": labels.lang(),
            "site": absolute(""),
            "width": str(WIDTH),
            "height": str(HEIGHT),
        },
    )
