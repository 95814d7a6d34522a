"""Log formats: JSON for machines in production, readable lines in development."""

from typing import Any, Final

#: Loggers of routine lines, useful in stored logs, noise on a terminal.
ROUTINE_LOGGERS: Final = ("hanaarchive.http.request_log", "records.jobs.executor")

#: Maximum characters quoted from Django's reason for refusing a request.
REFUSAL_CHARACTERS: Final = 100


def logging_config(*, json: bool, level: str, routine_level: str) -> dict[str, Any]:
    """Return the LOGGING setting of Django, Waitress and Celery.

    ``routine_level`` is the level of `ROUTINE_LOGGERS`. Every line has the values that
    `records.base.tracing` has bound.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": _make_formatter(json)},
        "filters": {"secrets": {"()": "hanaarchive.http.masking.SecretsFilter"}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["secrets"],
            }
        },
        "loggers": {
            # Django's own handlers mask nothing.
            "django": {"handlers": []},
            # Requests that wait for a thread are normal; their duration is measured.
            "waitress.queue": {"level": "ERROR"},
            # Two lines and a traceback for each request without ClickHouse; we log the cause.
            "clickhouse_connect": {"level": "ERROR"},
            "urllib3.connectionpool": {"level": "ERROR"},
            # Celery has a line for each message and task, and our own lines say more. The debug
            # lines of the others quote codes and tokens of applications.
            **{
                name: {"level": max(level, "WARNING", key=_LEVELS.index)}
                for name in ("celery", "oauthlib", "oauth2_provider")
            },
            # One line per request is enough for client errors; a server error has a traceback.
            "django.request": {"level": "ERROR"},
            **{name: {"level": routine_level} for name in ROUTINE_LOGGERS},
        },
        "root": {"handlers": ["console"], "level": level},
    }


def _shorten_refusal(_logger: object, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Shorten Django's line about a refused request, for instance with a wrong Host.

    Django logs an error with a traceback and text from the request, so that anybody could fill the
    log.
    """
    if event["logger"].startswith("django.security."):
        event |= {"level": "warning", "event": event["event"][:REFUSAL_CHARACTERS]}
        event.pop("exc_info", None)
    return event


_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")


def _make_formatter(json: bool) -> dict[str, Any]:
    """Return Structlog's formatter for records of Structlog and of the standard library."""
    # Imported here, because commands on text do not need Structlog and start faster.
    from structlog import contextvars, dev, processors, stdlib  # noqa: PLC0415

    before = [
        contextvars.merge_contextvars,
        stdlib.add_logger_name,
        stdlib.add_log_level,
        _shorten_refusal,
        stdlib.ExtraAdder(),
        processors.TimeStamper(fmt="iso", utc=True, key="time"),
        processors.CallsiteParameterAdder([processors.CallsiteParameter.PROCESS]),
    ]
    if json:
        last = [
            processors.format_exc_info,
            processors.EventRenamer("message"),
            processors.JSONRenderer(ensure_ascii=False, default=str),
        ]
    else:
        last = [
            dev.ConsoleRenderer(
                colors=False,
                timestamp_key="time",
                pad_event_to=0,
                exception_formatter=dev.plain_traceback,
            )
        ]
    return {
        "()": stdlib.ProcessorFormatter,
        "processors": [stdlib.ProcessorFormatter.remove_processors_meta, *last],
        "foreign_pre_chain": before,
    }
