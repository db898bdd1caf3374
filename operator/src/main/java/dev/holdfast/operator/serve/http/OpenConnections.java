package dev.holdfast.operator.serve.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * The open connections of one port, of which there is a largest number. A further one takes the place of one of
 * the client address that has most: of the oldest that is not being answered or, if all are, of the oldest. So clients
 * that hold connections open, open them without pause or read no replies keep no probe out.
 */
final class OpenConnections {
    private final int most;

    /** The oldest first. */
    @GuardedBy("this")
    private final SequencedSet<Connection> open = new LinkedHashSet<>();

    @GuardedBy("this")
    private final Map<InetAddress, Integer> ofClient = new HashMap<>();

    OpenConnections(int most) {
        this.most = most;
    }

    /** Adds a connection. Returns the one whose place it takes, to be aborted; empty if there is room. */
    synchronized Optional<Connection> add(Connection connection) {
        Optional<Connection> replaced = open.size() < most ? Optional.empty() : leastNeeded();
        replaced.ifPresent(this::remove);
        open.add(connection);
        ofClient.merge(connection.client(), 1, Integer::sum);
        return replaced;
    }

    @GuardedBy("this")
    private Optional<Connection> leastNeeded() {
        Map<InetAddress, Integer> counts = ofClient;
        // Of equals, the first is taken, which is the oldest.
        return open.stream()
                .max(Comparator.<Connection>comparingInt(it -> counts.getOrDefault(it.client(), 0))
                        .thenComparing(Connection::isBeingAnswered, Comparator.reverseOrder()));
    }

    /** Removes a connection, which may have been removed before. */
    synchronized void remove(Connection connection) {
        if (open.remove(connection)) {
            ofClient.computeIfPresent(connection.client(), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** {@return the open connections, the oldest first} */
    synchronized List<Connection> all() {
        return List.copyOf(open);
    }
}
