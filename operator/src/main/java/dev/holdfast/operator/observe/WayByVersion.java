package dev.holdfast.operator.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for all objects in one list where the API server sends it as it goes, which it does since Kubernetes 1.33; an older
 * one would build all of it in memory first, and is asked for pages. The version is asked for before each list, which is
 * seldom: so neither an upgrade nor a server among several that is not upgraded yet is missed.
 */
final class WayByVersion implements ListWay.Choice {
    /** The oldest minor version that the chart installs on. */
    static final int OLDEST = 32;

    private static final int STREAMS = 33;
    private static final int PAGE = 2_000;
    private static final int LONGEST_ANSWER = 16 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(WayByVersion.class);

    private final ApiServer server;
    private final int page;
    private String said = "";
    private volatile Optional<ServerVersion> last = Optional.empty();

    WayByVersion(ApiServer server) {
        this(server, PAGE);
    }

    WayByVersion(ApiServer server, int page) {
        this.server = server;
        this.page = page;
    }

    @Override
    public ListWay next() throws InterruptedException {
        Optional<ServerVersion> version = version();
        if (version.isPresent() && version.get().before(OLDEST)) {
            throw new TooOld(version.get().name());
        }
        boolean streams = version.isPresent() && !version.get().before(STREAMS);
        say(version.map(ServerVersion::name).orElse("unknown"), streams);
        return new ListWay(server, streams ? 0 : page);
    }

    private synchronized void say(String version, boolean streams) {
        String way = streams ? "in one piece" : "in pages of " + page;
        if (!said.equals(version + way)) {
            said = version + way;
            LOG.atInfo()
                    .addKeyValue("server", version)
                    .log("objects are listed " + way
                            + (streams ? "" : ": the API server is older than 1.33, or does not tell its version"));
        }
    }

    /**
     * {@return the version; the last one told if whoever answers does not tell it, as an API server that has only just begun
     * and knows of no rights yet; empty if it was never told, and then pages are asked for, which all know}
     */
    private Optional<ServerVersion> version() throws InterruptedException {
        try (Answer answer = server.get("/version", "application/json", PATIENCE, PATIENCE)) {
            answer.within(PATIENCE);
            Optional<ServerVersion> told = ServerVersion.read(answer.readNBytes(LONGEST_ANSWER));
            last = told.or(() -> last);
            return last;
        } catch (Refused refused) {
            if (refused.getCode() == 403 || refused.getCode() == 404) {
                return last;
            }
            throw refused;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The API server is one that Holdfast does not know how to read. */
    static final class TooOld extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String version;

        TooOld(String version) {
            super(version);
            this.version = version;
        }

        String what() {
            return "the API server is " + version + ", and Holdfast needs Kubernetes 1." + OLDEST
                    + " or newer: upgrade the cluster";
        }
    }
}
