# syntax=docker/dockerfile:1

# Swift's official toolchain image, on the Debian that the second stage has too.
FROM swift:6.3-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        libnghttp2-dev \
        libpq-dev \
        libssl-dev \
        pkg-config \
        zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
RUN swift package resolve
COPY Scripts/vendor Scripts/vendor
COPY Public Public
RUN apt-get update && Scripts/vendor && rm -rf /var/lib/apt/lists/*
COPY Sources Sources
# Not built, but the manifest names their folders.
COPY Tests Tests
# Symbols stay, for crash reports; the debugger's tables go.
RUN swift build -c release --product belfry --static-swift-stdlib \
        --explicit-target-dependency-import-check error \
    && strip --strip-debug .build/release/belfry

FROM debian:bookworm-slim
# What the binary links to (Scripts/check-image compares), authorities to trust, zones to plan by.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates \
        libnghttp2-14 \
        libpq5 \
        libssl3 \
        libstdc++6 \
        tzdata \
        zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --home-dir /belfry --shell /usr/sbin/nologin belfry \
    && install --directory --owner=belfry --group=belfry /belfry/var /simulator
WORKDIR /belfry
COPY --from=build /source/.build/release/belfry /usr/local/bin/belfry
COPY --chmod=755 Scripts/healthcheck /usr/local/bin/belfry-healthcheck
COPY Migrations Migrations
COPY --from=build /source/Public Public
# The user belfry, as a number: an orchestrator can tell that it is not root.
USER 10001
# Inside a container every address is the container's own.
ENV BELFRY_HOST=0.0.0.0 BELFRY_PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["belfry-healthcheck"]
ENTRYPOINT ["belfry"]
CMD ["serve"]
