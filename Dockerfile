# The coinlab program with a development server as its default: docker run -p 5003:5003 coinlab
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts
RUN node scripts/build.mjs
RUN mkdir /packed && npm pack --workspaces --ignore-scripts --pack-destination /packed

FROM node:22-bookworm-slim
COPY --from=build /packed /packed
RUN npm install --global --ignore-scripts --no-audit --no-fund /packed/*.tgz && rm -r /packed
# Listens for other containers. Every setting has a variable; COINLAB_DEV=false needs COINLAB_AUTH_SECRET as well.
ENV COINLAB_HOST=0.0.0.0 \
    COINLAB_DEV=true \
    COINLAB_ALLOW_UNSAFE_SECRET_BEYOND_LOOPBACK=true \
    COINLAB_ALLOWED_HOSTS=coinlab
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
EXPOSE 5003
HEALTHCHECK --interval=2s --timeout=2s --start-period=20s --retries=5 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.COINLAB_PORT ?? 5003}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["coinlab"]
CMD ["serve"]
