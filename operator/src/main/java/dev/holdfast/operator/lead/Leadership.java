package dev.holdfast.operator.lead;

import dev.holdfast.operator.config.LeaseSettings;
import dev.holdfast.operator.evict.Fence;
import dev.holdfast.operator.observe.SteadyClock;
import dev.holdfast.policies.engine.Event;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.function.Consumer;

/** Holds the Lease as long as it can, and says whether this replica leads. */
public final class Leadership implements Fence, AutoCloseable {
    /**
     * A candidate that has not begun yet.
     *
     * @param identity this replica, unlike any other
     * @param sink takes LeadershipGained and LeadershipLost
     */
    public Leadership(
            Config connection, LeaseSettings settings, String identity, SteadyClock clock, Consumer<Event> sink) {}

    /** Begins to compete for the lease. Returns at once. */
    public void start() {}

    /** {@return whether this replica leads now} */
    public boolean leads() {
        return false;
    }

    @Override
    public boolean allows(Duration requestTimeout) {
        return false;
    }

    /** Stops, and gives the lease back if it is held, so that another replica need not wait for its end. */
    @Override
    public void close() {}
}
