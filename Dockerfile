# Gradlens in a small container:  docker build -t gradlens .  and  docker run --rm -p 8000:8000 gradlens

FROM python:3.13-slim AS build
WORKDIR /source
COPY requirements/build.txt requirements/
RUN pip install --no-cache-dir --require-hashes --requirement requirements/build.txt
COPY pyproject.toml hatch_build.py README.md LICENSE CHANGELOG.md ./
COPY gradlens gradlens
COPY app app
COPY engine engine
COPY templates templates
COPY static static
RUN python -m hatchling build --target wheel --directory /wheel

FROM python:3.13-slim
COPY requirements/run.txt /tmp/gradlens/
COPY --from=build /wheel /tmp/gradlens/wheel
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/gradlens/run.txt \
    && pip install --no-cache-dir --no-deps --no-index /tmp/gradlens/wheel/*.whl \
    && rm -r /tmp/gradlens \
    && useradd --create-home --uid 10001 gradlens
USER 10001
WORKDIR /home/gradlens
ENV PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["gradlens", "--host", "0.0.0.0", "--no-open"]
