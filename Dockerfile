# Airflow, the pipeline and the CPU engine. Models are mounted, not built in.
FROM python:3.13.9-slim-bookworm

LABEL org.opencontainers.image.licenses="Apache-2.0"

ENV PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    AIRFLOW_HOME=/opt/airflow

RUN useradd --create-home --uid 50000 airflow \
    && install --directory --owner airflow /opt/airflow /opt/profiles

WORKDIR /opt/profiles

# The lock files alone first, so that a change of code does not install everything again.
COPY requirements.txt requirements-build.txt ./
RUN pip install --no-cache-dir --no-deps --require-hashes \
    -r requirements.txt -r requirements-build.txt

COPY --chown=airflow . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation --editable .

USER 50000
CMD ["airflow", "version"]
