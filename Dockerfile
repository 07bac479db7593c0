# Image of the server for a PostgreSQL of your own (DATABASE_URL): the embedded one is left out. docs/deployment.md says
# how to run it.

# Node with npm, which builds, and the system to which only the program node is copied.
ARG NODE_IMAGE=node:24.21.0-trixie-slim
ARG RUNTIME_IMAGE=debian:trixie-slim

FROM ${NODE_IMAGE} AS pages
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY bin bin
COPY sdk sdk
COPY web web
COPY site site
COPY docs docs
COPY *.md ./
RUN ["node", "bin/run.js", "build"]

FROM ${NODE_IMAGE} AS app
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY bin/no-telemetry bin/no-telemetry
COPY sdk sdk
# The dashboard is built, so its workspace is left out; npm ci would refuse that, npm install takes the same versions.
# Source maps, types, OpenTelemetry's builds for browsers and Swagger UI's others are 48 MB that no server reads.
RUN npm pkg set 'workspaces=["sdk","bin/no-telemetry"]' --json \
  && npm install --no-save --omit=dev --omit=optional --ignore-scripts \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && rm -rf node_modules/@opentelemetry/*/build/esm node_modules/@opentelemetry/*/build/esnext \
  && (cd node_modules/swagger-ui-dist && rm swagger-ui-es-*.js swagger-ui-standalone-preset.js swagger-ui.js) \
  && rm .npmrc package-lock.json
COPY LICENSE NOTICE THIRD_PARTY.md ./
COPY docs docs
COPY migrations migrations
COPY src src
COPY templates templates
COPY tool-packs tool-packs
COPY --from=pages /app/web/dist web/dist
COPY --from=pages /app/site/dist site/dist
# The built pages have the pictures of docs/. Readable whatever the checkout's modes are. What the user's Node compiled is
# kept, so that the server starts sooner.
RUN printf '#!/bin/sh\nexec node /app/src/main.ts "$@"\n' > /usr/local/bin/parley \
  && chmod 755 /usr/local/bin/parley \
  && rm -r docs/pictures \
  && chmod -R a+rX,go-w . \
  && install -d -o 10001 -g 10001 compiled
USER 10001:10001
RUN ["env", "NODE_COMPILE_CACHE=/app/compiled", "node", "--eval", \
  "import('/app/src/app/serve.ts').then(() => import('/app/src/surfaces/cli/program.ts'))"]
USER 0:0
RUN chown -R 0:0 compiled && chmod -R a+rX compiled

FROM ${RUNTIME_IMAGE}
LABEL org.opencontainers.image.title="parley" org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
  NODE_COMPILE_CACHE=/app/compiled \
  UV_THREADPOOL_SIZE=16 \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATA_DIR=/data \
  HOME=/data
COPY --from=app /usr/local/bin/node /usr/local/bin/parley /usr/local/bin/
COPY --from=app /app /app
RUN install -d -m 700 -o 10001 -g 10001 /data
USER 10001:10001
WORKDIR /app
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
# The flag: bin/spawn-server.js.
ENTRYPOINT ["node", "--no-regexp-tier-up", "/app/src/main.ts"]
CMD ["serve"]
