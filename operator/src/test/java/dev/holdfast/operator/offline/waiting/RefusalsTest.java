package dev.holdfast.operator.offline.waiting;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.unbound;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalsTest {
    private static final List<String> APPS = List.of("web", "db", "log");

    private final LiveCluster cluster = new LiveCluster(Set.of());
    private final SchedulerFilters filters = new SchedulerFilters(
            cluster.index(), cluster.resourceFit(), _ -> new ClaimedVolume.Unreadable("no claim is read"));
    private final Refusals refusals = new Refusals(cluster, filters);

    private void change(ClusterEvent event) {
        Optional<Pod> before = switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> cluster.pod(pod.uid());
            case ClusterEvent.PodGone(String uid) -> cluster.pod(uid);
            case ClusterEvent.OfNode _,
                    ClusterEvent.OfNamespace _,
                    ClusterEvent.OfOwner _,
                    ClusterEvent.OfBudget _,
                    ClusterEvent.OfCapacity _ -> Optional.empty();
        };
        cluster.apply(event);
        refusals.changed(event, before);
    }

    private Set<String> found(Pod pod) {
        Refusals.Search search = refusals.search(pod);
        Set<String> found = search.nodes().stream()
                .filter(search::accepts)
                .map(Node::name)
                .collect(Collectors.toCollection(TreeSet::new));
        search.end();
        return found;
    }

    /** {@return the nodes that take a pod, each of which is asked} */
    private Set<String> all(Pod pod) {
        NodeRejection rejection = filters.of(pod.withInjectedAsOwn(), List.of()).values().stream()
                .reduce(NodeRejection.NONE, NodeRejection::or);
        return cluster.nodes().stream()
                .filter(node -> rejection.to(node).isEmpty())
                .map(Node::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void theSearchFindsWhatAPlainSearchFinds(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 600; step++) {
            change(anyEvent(random));
            for (Pod pod : List.copyOf(cluster.pods())) {
                if (pod.nodeName().isEmpty()) {
                    assertThat(found(pod))
                            .as("seed %d, step %d, pod %s", seed, step, pod.name())
                            .isEqualTo(all(pod));
                }
            }
        }
        assertThat(refusals.questions()).isPositive();
    }

    private static ClusterEvent anyEvent(Random random) {
        String name = "n" + random.nextInt(5);
        return switch (random.nextInt(12)) {
            case 0 -> new ClusterEvent.NodeChanged(node(name, zone("z" + random.nextInt(3)), hostname(name)));
            case 1 ->
                new ClusterEvent.NodeChanged(node(name, zone("z" + random.nextInt(3)), hostname(name), cordoned()));
            case 2 -> new ClusterEvent.NodeGone(name);
            case 3, 4 -> new ClusterEvent.PodGone(anyPod(random).uid());
            default -> new ClusterEvent.PodChanged(anyPod(random));
        };
    }

    /** {@return a pod whose labels and rules follow from its name, as they do not change} */
    private static Pod anyPod(Random random) {
        int number = random.nextInt(24);
        String name = "p" + number;
        PodTrait place = random.nextInt(3) == 0 ? unbound() : on("n" + random.nextInt(5));
        PodTrait end = random.nextInt(5) == 0 ? terminating() : place;
        PodTrait namespace = in(number % 2 == 0 ? "shop" : "lab");
        return switch (number % 6) {
            case 0 ->
                pod(
                        name,
                        namespace,
                        place,
                        end,
                        labels("app", "web", "i", name),
                        apartFrom(term(app("web"), HOSTNAME)));
            case 1 ->
                pod(name, namespace, place, end, labels("app", "db", "i", name), spread(maxSkew(1, ZONE, app("db"))));
            case 2 -> pod(name, namespace, place, end, labels("app", "log", "i", name), near(term(app("web"), ZONE)));
            case 3 -> pod(name, namespace, place, end, labels("app", "web"), apartFrom(term(app("db"), ZONE)));
            case 4 ->
                pod(
                        name,
                        namespace,
                        place,
                        end,
                        labels("app", "web", "i", name),
                        spread(maxSkew(1, HOSTNAME, app("web"))));
            default -> pod(name, namespace, place, end, labels("app", APPS.get(number % 3)));
        };
    }

    @Test
    void podsThatDifferInALabelThatNothingReadsAreOneQuestion() {
        for (int i = 0; i < 10; i++) {
            change(new ClusterEvent.NodeChanged(node("n" + i, cordoned())));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(found(pod("train-" + i, unbound(), labels("index", "" + i))))
                    .isEmpty();
        }
        assertThat(refusals.questions()).isEqualTo(10);
    }

    @Test
    void aNodeThatChangesIsAskedAgainAndOthersAreNot() {
        for (int i = 0; i < 10; i++) {
            change(new ClusterEvent.NodeChanged(node("n" + i, cordoned())));
        }
        Pod pod = pod("web", unbound());
        assertThat(found(pod)).isEmpty();
        change(new ClusterEvent.PodChanged(pod("other", on("n1"))));
        assertThat(found(pod)).isEmpty();
        assertThat(refusals.questions()).isEqualTo(10);
        change(new ClusterEvent.NodeChanged(node("n3")));
        assertThat(found(pod)).containsExactly("n3");
        assertThat(refusals.questions()).isEqualTo(11);
    }
}
