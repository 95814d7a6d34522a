"""Content negotiation by `format` or by the Accept header."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request

from api.problems import invalid_parameter
from api.views.base import Resource


class NegotiatedResource(Resource):
    """A resource in the formats of its ``renderer_classes``.

    ``parameters`` must include ``format``.
    """

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Select the renderer by `format`, or else by `Accept`; raise a 400 problem."""
        name = request.query_params.get("format", "")
        if name and not force:
            renderers = {renderer.format: renderer for renderer in self.get_renderers()}
            if name not in renderers:
                values = {"known": ", ".join(renderers)}
                raise invalid_parameter("format", _("format: expected one of %(known)s.") % values)
            return renderers[name], renderers[name].media_type
        return super().perform_content_negotiation(request, force)
