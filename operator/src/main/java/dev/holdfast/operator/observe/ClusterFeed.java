package dev.holdfast.operator.observe;

import dev.holdfast.policies.engine.Event;
import io.fabric8.kubernetes.client.Config;
import java.util.function.Consumer;

/** The feed of a live cluster: pods, nodes, namespaces, owners and budgets. Policies come another way. */
public final class ClusterFeed implements Feed {
    /**
     * A feed that is not started yet.
     *
     * @param connection how to reach the API server
     * @param sink takes the events of all views; called by several threads, and must not block for long
     */
    public ClusterFeed(Config connection, Consumer<Event> sink) {}

    @Override
    public void start() {}

    @Override
    public void close() {}
}
