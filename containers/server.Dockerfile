# syntax=docker/dockerfile:1.7
# Serves runs and replays, and runs live worlds. After `make wheel`, from the root of the repository:
#   docker build --file containers/server.Dockerfile --tag diorama-server .
# EXTRAS=serve,export,learn,morphogenesis also asks policies of runs, and plays the fifth world; it brings PyTorch.
ARG PYTHON_IMAGE=python:3.11.14-slim-trixie
FROM ${PYTHON_IMAGE}

ARG EXTRAS=serve
ENV PATH=/opt/diorama/bin:${PATH} \
    PYTHONUNBUFFERED=1 \
    DIORAMA_RUNS_ROOT=/data/runs \
    DIORAMA_CAMPAIGNS_ROOT=/state/campaigns

RUN useradd --uid 10001 --create-home diorama \
 && install --directory --owner diorama --group diorama /data /data/runs /state

COPY constraints.txt dist/*.whl /opt/wheel/
RUN --mount=type=cache,target=/root/.cache/pip \
    python3 -m venv /opt/diorama \
 && pip install --constraint /opt/wheel/constraints.txt "$(echo /opt/wheel/*.whl)[${EXTRAS}]"

# What the server imports, the compiled core, and the client it serves.
RUN diorama --version \
 && python -c "import diorama.native, diorama.server.app as server; server.create_app()" \
 && test -f "$(python -c 'import diorama; print(diorama.__path__[0])')/server/static/index.html"

USER diorama
WORKDIR /state
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["diorama"]
CMD ["serve", "--host", "0.0.0.0", "--no-demo"]
