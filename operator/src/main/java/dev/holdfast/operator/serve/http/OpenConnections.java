package dev.holdfast.operator.serve.http;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Stream;

/**
 * The open connections of one port, of which there is a largest number. A further one takes the place of one that is not
 * being answered: of the oldest of the client address that has most. So clients that hold connections open, or open them
 * without pause, keep no probe out.
 */
final class OpenConnections {
    private final int most;

    /** The oldest first. */
    private final SequencedSet<Connection> open = new LinkedHashSet<>();

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

    private Optional<Connection> leastNeeded() {
        return oldestOfLargestClient(open.stream().filter(it -> !it.isBeingAnswered()))
                .or(() -> oldestOfLargestClient(open.stream()));
    }

    private Optional<Connection> oldestOfLargestClient(Stream<Connection> oldestFirst) {
        return oldestFirst.max(Comparator.comparingInt(it -> ofClient.getOrDefault(it.client(), 0)));
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
