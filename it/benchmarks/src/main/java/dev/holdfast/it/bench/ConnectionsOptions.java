package dev.holdfast.it.bench;

import dev.holdfast.it.bench.connection.ClientBehavior;
import dev.holdfast.it.bench.connection.ServedPort.Scheme;
import java.util.List;
import java.util.Locale;

/**
 * The options of {@code it/bench connections}.
 *
 * @param connections how many connections are held open to each port
 * @param seconds how long they are held
 * @param behaviors the behaviors of the clients, one after the other
 * @param metrics how metrics are served, one after the other
 */
record ConnectionsOptions(int connections, int seconds, List<ClientBehavior> behaviors, List<Scheme> metrics) {
    ConnectionsOptions {
        behaviors = List.copyOf(behaviors);
        metrics = List.copyOf(metrics);
    }

    /** {@return the options in one line} */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d connections to each port, for %d s each", connections, seconds);
    }
}
