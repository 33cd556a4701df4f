# Cradle in a container, as a user without rights. Without DATABASE_URL it runs its own PostgreSQL on the volume.
FROM node:24-bookworm-slim AS packages
WORKDIR /cradle
COPY package.json package-lock.json binaries.sha256 ./
COPY bin bin
RUN npm ci --omit=dev

FROM packages AS console
COPY console console
COPY scripts/build-console.ts scripts/build-console.ts
RUN bin/pinned-node scripts/build-console.ts

FROM node:24-bookworm-slim
WORKDIR /cradle
COPY --from=packages /cradle/node_modules node_modules
COPY --from=console /cradle/console/dist console/dist
COPY package.json binaries.sha256 METHODOLOGY.md ./
COPY bin bin
COPY data data
COPY sql sql
COPY src src
# Beside the data, what Node compiles.
RUN mkdir -p /var/lib/cradle node_modules/.cache/cradle && chown node:node /var/lib/cradle node_modules/.cache/cradle
USER node
ENV CRADLE_DATA_DIR=/var/lib/cradle/data \
    CRADLE_HOST=0.0.0.0 \
    CRADLE_PORT=8080 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=16384 \
    NODE_COMPILE_CACHE=node_modules/.cache/cradle
VOLUME /var/lib/cradle
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.CRADLE_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The process that is told to stop is the service itself, not a shell or npm.
CMD ["bin/pinned-node", "--max-semi-space-size=16", "--heap-growing-percent=20", "--max-old-space-size=1024", "--no-allocation-site-pretenuring", "src/cli/cradle.ts", "serve"]
