# syntax=docker/dockerfile:1.7
# Trains policies. After `make wheel`, from the root of the repository:
#   docker build --file containers/trainer.Dockerfile --tag diorama-trainer .
# Other projects can start from it, and install what they need without another user:
#   FROM diorama-trainer
#   RUN pip install --constraint /opt/wheel/constraints.txt my-world
ARG PYTHON_IMAGE=python:3.11.14-slim-trixie
FROM ${PYTHON_IMAGE}

ARG EXTRAS=learn,morphogenesis,track
ENV PATH=/opt/diorama/bin:${PATH} \
    PYTHONUNBUFFERED=1

RUN useradd --uid 10001 --create-home diorama \
 && install --directory --owner diorama --group diorama /data /data/runs

COPY constraints.txt dist/*.whl /opt/wheel/
RUN --mount=type=cache,target=/root/.cache/pip \
    python3 -m venv /opt/diorama \
 && pip install --constraint /opt/wheel/constraints.txt "$(echo /opt/wheel/*.whl)[${EXTRAS}]" \
 && chown --recursive diorama:diorama /opt/diorama

# What a trainer imports, every world it may train, and both tiers of each.
RUN python -c "import safetensors, sklearn, tensorboardX, torch, wandb" \
 && diorama doctor

USER diorama
WORKDIR /data
# A training ends by itself; its exit code says how it went.
HEALTHCHECK NONE
ENTRYPOINT ["diorama"]
CMD ["train", "prospector"]
