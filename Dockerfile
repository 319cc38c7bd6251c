# Claimscope with PyTorch's small build. Pages, answers and workspace are mounted:
#
#   docker build --tag claimscope .
#   docker run --rm --network none --volume "$PWD:/work" claimscope \
#       check answer.md --against pages
#
# For a machine with an NVIDIA GPU: --build-arg TORCH=usual (five gigabytes more).
FROM python:3.11-slim AS build
ARG TORCH=cpu
ENV UV_LINK_MODE=copy UV_COMPILE_BYTECODE=1
RUN python -m venv /opt/claimscope \
    && python -m pip install --quiet --no-cache-dir uv==0.13.9
WORKDIR /src
COPY requirements.txt ./
COPY benchmarks/tools/torch_build.py benchmarks/tools/
# Versions of requirements.txt bind only what the program itself needs.
COPY pyproject.toml README.md LICENSE ./
COPY .src .src
COPY core core
COPY stores stores
COPY tui tui
COPY themes themes
COPY testsets testsets
# The flags are words of their own, or none.
# hadolint ignore=SC2086
RUN build="$(python -m benchmarks.tools.torch_build uv --torch "$TORCH")" \
    && uv pip install --quiet --no-cache --python /opt/claimscope/bin/python $build \
        --constraint requirements.txt .
# The embedder is exported here, once, so that no container imports torch for it.
ENV CLAIMSCOPE_CACHE=/var/cache/claimscope
RUN /opt/claimscope/bin/claimscope pages index testsets/medicine/pages --workspace first

FROM python:3.11-slim
RUN useradd --create-home --uid 1000 claimscope
COPY --from=build /opt/claimscope /opt/claimscope
COPY --from=build --chown=1000:1000 /var/cache/claimscope /var/cache/claimscope
ENV PATH=/opt/claimscope/bin:$PATH \
    CLAIMSCOPE_CACHE=/var/cache/claimscope \
    CLAIMSCOPE_WORKSPACE=/work/workspace
USER 1000
WORKDIR /work
ENTRYPOINT ["claimscope"]
CMD ["--help"]
