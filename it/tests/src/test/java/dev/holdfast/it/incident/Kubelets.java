package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Starts pods on nodes that are up, and lets them go. A pod is Ready {@code incident/start-seconds} after it was
 * bound, and has done its work {@code incident/run-seconds} later, where it says so.
 */
final class Kubelets implements Controller {
    private static final int START_SECONDS = 5;
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final ObjectStore store;
    private final Timeline time;
    private final NodeLifecycle nodes;
    private final Set<String> starting = new HashSet<>();
    private final Set<String> stopping = new HashSet<>();

    Kubelets(ObjectStore store, Timeline time, NodeLifecycle nodes) {
        this.store = store;
        this.time = time;
        this.nodes = nodes;
    }

    @Override
    public void reconcile() {
        for (ObjectNode pod : store.all("Pod")) {
            if (Pods.isTerminating(pod)) {
                stop(pod);
            } else if (Pods.node(pod).isPresent() && Pods.phase(pod).equals("Pending")) {
                start(pod);
            }
        }
    }

    private void start(ObjectNode pod) {
        if (starting.add(Pods.uid(pod))) {
            time.after(startTime(pod), () -> {
                starting.remove(Pods.uid(pod));
                stillThere(pod).filter(it -> !Pods.isTerminating(it)).ifPresent(this::run);
            });
        }
    }

    /** Up to {@code incident/start-varies-seconds} longer for some pods than for others, always the same. */
    private static Duration startTime(ObjectNode pod) {
        int varies = Pods.annotation(pod, "incident/start-varies-seconds", 0);
        int longer = Math.floorMod(Pods.scattered(pod), varies + 1);
        return Duration.ofSeconds(Pods.annotation(pod, "incident/start-seconds", START_SECONDS) + longer);
    }

    private void run(ObjectNode pod) {
        store.edit(pod, it -> {
            it.withObjectProperty("status").put("phase", "Running");
            Pods.condition(it, "Ready", "True", time.instant());
        });
        int work = Pods.annotation(pod, "incident/run-seconds", 0);
        if (work > 0) {
            time.after(
                    Duration.ofSeconds(work),
                    () -> stillThere(pod)
                            .filter(it -> !Pods.isTerminating(it))
                            .ifPresent(it -> store.edit(it, done -> {
                                done.withObjectProperty("status").put("phase", "Succeeded");
                                Pods.condition(done, "Ready", "False", time.instant());
                            })));
        }
    }

    private void stop(ObjectNode pod) {
        boolean reachable = Pods.node(pod).filter(nodes::isDown).isEmpty();
        if (reachable && stopping.add(Pods.uid(pod))) {
            time.after(GRACE, () -> {
                stopping.remove(Pods.uid(pod));
                stillThere(pod).ifPresent(store::remove);
            });
        }
    }

    private Optional<ObjectNode> stillThere(ObjectNode pod) {
        return store.find(ObjectStore.Key.of(pod)).filter(it -> Pods.uid(it).equals(Pods.uid(pod)));
    }
}
