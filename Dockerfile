# partner in a container: the executable, the libraries that it is linked with, and nothing else. No shell, no package
# manager, no home. As it stands it serves the simulator.
#
#     npm run package -- linux-x64
#     docker build --tag partner .
#     docker run --rm --publish 127.0.0.1:4010:4010 partner
#
# For another machine: --build-arg PLATFORM=linux-arm64, after npm run package -- linux-arm64.
# Before you publish an image, pin both images below by their digest (name@sha256:...).

FROM debian:12-slim AS parts
ARG PLATFORM=linux-x64
COPY artifacts/partner-*-${PLATFORM} /parts/usr/bin/partner
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 \
  && cp --parents /usr/lib/*/libatomic.so.1* /parts/ \
  && chmod 755 /parts/usr/bin/partner \
  && install --directory --mode 700 --owner 65532 --group 65532 /parts/config /parts/state

FROM gcr.io/distroless/cc-debian12
COPY --from=parts /parts/ /
# A user that no user database has to know. Profiles and the journal are in these two folders: mount volumes there.
USER 65532:65532
ENV HOME="" PARTNER_CONFIG_DIR=/config PARTNER_STATE_DIR=/state
EXPOSE 4010
ENTRYPOINT ["/usr/bin/partner"]
CMD ["simulator", "start", "--listen", "0.0.0.0:4010"]
