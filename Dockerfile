# Seegrad in a small container:  docker build -t seegrad .  and  docker run --rm -p 8000:8000 seegrad

FROM python:3.13-slim AS build
WORKDIR /source
COPY requirements/build.txt requirements/run.txt requirements/sandbox.txt requirements/
RUN pip install --no-cache-dir --require-hashes --requirement requirements/build.txt \
    && pip install --no-cache-dir --require-hashes --requirement requirements/run.txt
COPY pyproject.toml hatch_build.py README.md LICENSE CHANGELOG.md ./
COPY seegrad seegrad
COPY app app
COPY engine engine
COPY scripts scripts
RUN python -m scripts.sandbox --component-only
COPY templates templates
COPY static static
RUN python -m hatchling build --target wheel --directory /wheel

FROM python:3.13-slim
COPY requirements/run.txt /tmp/seegrad/
COPY --from=build /wheel /tmp/seegrad/wheel
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/seegrad/run.txt \
    && pip install --no-cache-dir --no-deps --no-index /tmp/seegrad/wheel/*.whl \
    && python -c "from seegrad.engine.sandbox import machine_code; machine_code.prepare()" \
    && rm -r /tmp/seegrad \
    && useradd --create-home --uid 10001 seegrad
USER 10001
WORKDIR /home/seegrad
ENV PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["seegrad", "--host", "0.0.0.0", "--no-open"]
