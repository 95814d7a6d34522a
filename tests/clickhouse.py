"""A server that speaks ClickHouse's HTTP interface, with the engine of chdb.

    python -m tests.clickhouse PORT URL-OF-BUCKET|DIRECTORY-OF-FACTS

It knows what clickhouse-connect sends: a user with a password, a query with parameters, settings
and external tables, and errors with their codes. The engine is ClickHouse's; the server is not.
"""

from __future__ import annotations

import logging
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Final

from chdb.session import Session
from flask import Flask, Response, request

from hanaarchive.environment import parse_bucket

USER, PASSWORD = "reader", "se/cret"
#: Parameters of a request that are no settings.
_OTHERS: Final = re.compile(
    r"query|query_id|database|default_format|client_protocol_version|wait_end_of_query|session_id"
    r"|enable_http_compression|send_progress_in_http_headers|http_headers_progress_interval_ms"
    r"|param_.*|.*_format|.*_structure"
)
_FORMAT: Final = re.compile(r"\s+FORMAT (\w+)\s*$")
_S3: Final = re.compile(r"s3\(hana_facts, filename = '([^']*)', format = 'Parquet', structure =")
_ERROR: Final = re.compile(r"Code: (\d+)")
_LOCK: Final = Lock()


def make_app(files: str) -> Flask:
    """Return the server over a bucket, given as HANA_STORAGE_URL, or over a directory of facts."""
    app, engine = Flask(__name__), Session()
    if not files.startswith("/"):
        options = parse_bucket(files)
        assert options is not None
        address = f"{options['endpoint_url']}/{options['bucket_name']}/{options['location']}facts/"
        engine.query(
            f"CREATE NAMED COLLECTION hana_facts AS url = '{address}',"
            f" access_key_id = '{options['access_key']}',"
            f" secret_access_key = '{options['secret_key']}'"
        )

    @app.route("/", methods=["GET", "POST"])
    def respond() -> Response:
        sent = request.authorization
        if sent is None or (sent.username, sent.password) != (USER, PASSWORD):
            return refuse(
                "Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)"
            )
        fields = {**request.args, **request.form}
        query = fields.get("query") or request.get_data(as_text=True)
        output = _FORMAT.search(query)
        query = _FORMAT.sub("", query)
        settings = [
            f"{name} = '{value}'"
            for name, value in request.args.items()
            if not _OTHERS.fullmatch(name)
        ]
        settings.append("max_threads = 1")
        if query.lstrip().upper().startswith(("SELECT", "WITH")):
            query += f" SETTINGS {', '.join(settings)}"
        if files.startswith("/"):
            query = _S3.sub(rf"file('{files}/\1', 'Parquet',", query)
        values = {name[6:]: text for name, text in fields.items() if name.startswith("param_")}
        with _LOCK, TemporaryDirectory() as folder:
            try:
                for name, file in request.files.items():
                    path = Path(folder) / name
                    file.save(path)
                    structure = request.args[f"{name}_structure"].replace("'", "\\'")
                    engine.query(
                        f"CREATE OR REPLACE TABLE {name} ENGINE = Memory AS"
                        f" SELECT * FROM file('{path}', Parquet, '{structure}')"
                    )
                result = engine.query(query, output[1] if output else "TabSeparated", params=values)
            except Exception as error:
                # chdb would begin its next result with what the failed query had written.
                engine.query("SELECT 1")
                return refuse(str(error))
        return Response(result.bytes())

    return app


def refuse(message: str) -> Response:
    """Return an error like ClickHouse's."""
    code = _ERROR.search(message)
    status = 403 if code and code[1] == "516" else 500
    response = Response(message, status, content_type="text/plain")
    response.headers["X-ClickHouse-Exception-Code"] = code[1] if code else "1002"
    return response


if __name__ == "__main__":
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    make_app(sys.argv[2]).run("127.0.0.1", int(sys.argv[1]), threaded=True)
