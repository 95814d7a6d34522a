# The image of the archive, with commands for web server, worker and sweep (compose.yaml).

FROM python:3.11-slim-trixie AS build
RUN pip install --no-cache-dir uv==0.13.8
WORKDIR /build
COPY pyproject.toml uv.lock ./
COPY kafu kafu
ENV UV_PROJECT_ENVIRONMENT=/opt/hana UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
# Install a copy: the build folder is not part of the image.
ARG EXTRAS="--extra s3 --extra clickhouse"
RUN uv sync --frozen --no-dev --no-editable $EXTRAS
# Replace the library by its compiled form; compiler and mypy are needed only in the build stage.
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev \
    && uv export --frozen --no-hashes --no-emit-project --no-emit-package kafu -o /tmp/pins.txt \
    && uv venv /tmp/compiler \
    && uv pip install --python /tmp/compiler -c /tmp/pins.txt mypy setuptools \
    && cd kafu \
    && KAFU_COMPILE=1 /tmp/compiler/bin/python setup.py -q bdist_wheel -d /tmp/wheel \
    && uv pip install --python /opt/hana/bin/python --no-deps --reinstall /tmp/wheel/*.whl \
    && /opt/hana/bin/python -c "import kafu.cards as c; assert c.__file__.endswith('.so')"

FROM python:3.11-slim-trixie
# Backups need a PostgreSQL client of the server's version (compose.yaml), pictures need the font. pip is
# removed, because nobody installs packages in the image.
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client-17 fontconfig fonts-ipafont-gothic \
    && rm -rf /var/lib/apt/lists/* \
    && pip uninstall -y --root-user-action=ignore setuptools wheel pip \
    && groupadd --system --gid 10001 hana \
    && useradd --system --uid 10001 --gid hana --home-dir /var/lib/hana --shell /usr/sbin/nologin hana \
    && install -d -o hana -g hana -m 0750 /var/lib/hana /backups
COPY --from=build /opt/hana /opt/hana
ENV PATH=/opt/hana/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    HANA_ENV=production HANA_VAR=/var/lib/hana
WORKDIR /app
COPY . .
RUN python -m compileall -q .
USER hana
VOLUME /var/lib/hana
EXPOSE 8000
# The check of the web server. compose.yaml has the checks of worker and sweep, which have no address.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["python", "-c", \
    "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health/live', timeout=4)"]
CMD ["python", "manage.py", "web", "--host=0.0.0.0"]
