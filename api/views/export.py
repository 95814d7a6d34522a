"""Games as Kafu text, a page at a time."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from api.paging import MOST
from api.renderers import KafuRenderer
from api.views.base import LANG, problems
from api.views.records import Records
from records.queries.export import texts


class RecordsKafu(Records):
    """The texts of a list of games."""

    renderer_classes = (KafuRenderer,)

    @extend_schema(
        operation_id="records_list_kafu",
        summary="The texts of games, filtered and sorted",
        description=(
            "The same games as `records` lists, as one Kafu text; empty where none fits. The "
            "header `Link` has the address of the next page, while there is one."
        ),
        parameters=[
            LANG,
            OpenApiParameter("cursor", str, description="Where to go on; taken from `Link`."),
            OpenApiParameter("page_size", {"type": "integer", "minimum": 1, "maximum": MOST}),
            OpenApiParameter(
                "Link",
                str,
                OpenApiParameter.HEADER,
                response=[200],
                description='`<address>; rel="next"`',
            ),
        ],
        filters=True,
        responses={(200, KafuRenderer.media_type): OpenApiTypes.STR, **problems(400)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """One page of them."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        following = getattr(self.paginator, "next", None)
        headers = {"Link": f'<{following}>; rel="next"'} if following else {}
        whole = "".join(f"{text}\n" for text in texts(page))
        # Not the framework's response, which has no type where it has no text.
        kind = f"{KafuRenderer.media_type}; charset={KafuRenderer.charset}"
        return HttpResponse(whole, content_type=kind, headers=headers)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """The address names the form: what a browser accepts does not matter."""
        return super().perform_content_negotiation(request, force=True)
