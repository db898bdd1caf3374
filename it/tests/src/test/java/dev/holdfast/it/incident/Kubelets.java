package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Simulates kubelets: starts pods on nodes that are up, and removes terminating pods. The annotation {@code
 * incident/start-seconds} says how long after its binding a pod is Ready; {@code incident/run-seconds} how much later
 * the pod succeeds.
 */
final class Kubelets implements SimulatedController {
    private static final int START_SECONDS = 5;
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final ObjectStore store;
    private final VirtualTime time;
    private final NodeLifecycleController nodes;
    private final Set<String> starting = new HashSet<>();
    private final Set<String> stopping = new HashSet<>();

    /** Whether no image can be pulled, so that no further pod becomes Ready. */
    private boolean withoutImages;

    Kubelets(ObjectStore store, VirtualTime time, NodeLifecycleController nodes) {
        this.store = store;
        this.time = time;
        this.nodes = nodes;
    }

    /** Sets whether no image can be pulled. */
    void withoutImages(boolean none) {
        withoutImages = none;
    }

    @Override
    public void reconcile() {
        for (ObjectNode pod : store.all("Pod")) {
            if (PodObjects.isTerminating(pod)) {
                stop(pod);
            } else if (PodObjects.node(pod).isPresent() && PodObjects.phase(pod).equals("Pending") && !withoutImages) {
                start(pod);
            }
        }
    }

    private void start(ObjectNode pod) {
        if (starting.add(PodObjects.uid(pod))) {
            time.after(startTime(pod), () -> {
                starting.remove(PodObjects.uid(pod));
                stillThere(pod)
                        .filter(it -> !PodObjects.isTerminating(it) && !withoutImages)
                        .ifPresent(this::run);
            });
        }
    }

    /**
     * {@return how long the pod takes to become Ready} The annotation {@code incident/start-varies-seconds} is the most
     * that is added to the start time, by an amount that depends only on the pod's name.
     */
    private static Duration startTime(ObjectNode pod) {
        int varies = PodObjects.annotation(pod, "incident/start-varies-seconds", 0);
        int longer = Math.floorMod(PodObjects.scattered(pod), varies + 1);
        return Duration.ofSeconds(PodObjects.annotation(pod, "incident/start-seconds", START_SECONDS) + longer);
    }

    private void run(ObjectNode pod) {
        store.edit(pod, it -> {
            it.withObjectProperty("status").put("phase", "Running");
            PodObjects.condition(it, "Ready", "True", time.instant());
        });
        int work = PodObjects.annotation(pod, "incident/run-seconds", 0);
        if (work > 0) {
            time.after(
                    Duration.ofSeconds(work),
                    () -> stillThere(pod)
                            .filter(it -> !PodObjects.isTerminating(it))
                            .ifPresent(it -> store.edit(it, done -> {
                                done.withObjectProperty("status").put("phase", "Succeeded");
                                PodObjects.condition(done, "Ready", "False", time.instant());
                            })));
        }
    }

    private void stop(ObjectNode pod) {
        boolean reachable = PodObjects.node(pod).filter(nodes::isDown).isEmpty();
        if (reachable && stopping.add(PodObjects.uid(pod))) {
            time.after(GRACE, () -> {
                stopping.remove(PodObjects.uid(pod));
                stillThere(pod).ifPresent(store::remove);
            });
        }
    }

    private Optional<ObjectNode> stillThere(ObjectNode pod) {
        return store.find(ObjectStore.Key.of(pod))
                .filter(it -> PodObjects.uid(it).equals(PodObjects.uid(pod)));
    }
}
