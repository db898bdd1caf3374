package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Test oracle: checks each eviction against the real state of the cluster and against what the feeds could know of that
 * state. It also checks the events of the feeds against what the fake API server has sent. It uses only {@code
 * evaluate}, not the engine.
 */
final class EvictionJudge {
    /**
     * The most that a change may be missed before an eviction: 90 s of silence, 5 s until the check, and 20 s for
     * requests. By then the feed has reopened a silent watch, or its view is lost.
     */
    private static final Duration LONGEST_BEHIND = Duration.ofSeconds(90 + 5 + 10 + 10);

    private static final Duration LONGEST_BLIND = Duration.ofSeconds(30);

    private final FakeApiServer fakeApiServer;
    private final InstantSource clock;
    private final Policy policy;

    private final ReferenceCluster seen = new ReferenceCluster();
    private final Set<View> synced = EnumSet.noneOf(View.class);
    private final Map<Key, Instant> brokenSince = new TreeMap<>();
    private final NavigableSet<Gap> gaps =
            new TreeSet<>(Comparator.comparing(Gap::from).thenComparing(Gap::to));
    private Optional<Instant> blindSince = Optional.empty();
    private boolean complete;

    private record Key(String podUid, String rule) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return Comparator.comparing(Key::podUid).thenComparing(Key::rule).compare(this, other);
        }
    }

    /** A period in which changes may have been missed. */
    private record Gap(Instant from, Instant to) {}

    EvictionJudge(FakeApiServer fakeApiServer, InstantSource clock, Policy policy) {
        this.fakeApiServer = fakeApiServer;
        this.clock = clock;
        this.policy = policy;
    }

    /** {@return the cluster as the feeds have delivered it} */
    ReferenceCluster seen() {
        return seen;
    }

    /** {@return whether all views are synced} */
    boolean sees() {
        return synced.size() == FakeServerState.KINDS.size();
    }

    /** {@return the violations in the real state of the cluster, each as pod UID and rule name} */
    List<String> broken() {
        return brokenIn(fakeApiServer.state.truth()).stream()
                .map(it -> it.podUid() + " " + it.rule())
                .toList();
    }

    private List<Key> brokenIn(ClusterView view) {
        List<Key> broken = new ArrayList<>();
        for (Pod pod : view.pods()) {
            if (policy.selects(pod, view)) {
                for (Policy.NamedRule rule : policy.rules()) {
                    if (Evaluator.judge(rule.rule(), pod, view) instanceof Verdict.Violated) {
                        broken.add(new Key(pod.uid(), rule.name()));
                    }
                }
            }
        }
        return broken;
    }

    /** Records and checks an event of a feed. */
    void told(Event event) {
        switch (event) {
            case Event.ObjectChanged(var fact) -> {
                seen.apply(fact);
                observe();
            }
            case Event.ViewSynced(View view) -> {
                synced.add(view);
                if (sees()) {
                    complete = true;
                    observe();
                    blindSince.ifPresent(since -> blind(new Gap(since, clock.instant())));
                    blindSince = Optional.empty();
                }
            }
            case Event.ViewLost(View view, var _, Instant lastHeard) -> {
                synced.remove(view);
                blindSince = blindSince.filter(lastHeard::isAfter).or(() -> Optional.of(lastHeard));
                if (complete) {
                    fakeApiServer
                            .behindSince(kind(view))
                            .ifPresent(missed -> assertThat(lastHeard)
                                    .as("start of the missed changes of the lost view %s", view)
                                    .isBeforeOrEqualTo(missed.plus(fakeApiServer.longestLag())));
                }
            }
            default -> throw new IllegalArgumentException("not an event of a feed: " + event);
        }
    }

    private static WatchedKind kind(View view) {
        return FakeServerState.KINDS.stream()
                .filter(it -> it.view() == view)
                .findFirst()
                .orElseThrow();
    }

    private void observe() {
        if (complete) {
            List<Key> broken = brokenIn(seen);
            brokenSince.keySet().retainAll(broken);
            broken.forEach(key -> brokenSince.putIfAbsent(key, clock.instant()));
        }
    }

    /**
     * Handles a period in which a view was lost. It does not count as forgiveness; a long one also restarts the clock
     * of each violation.
     */
    private void blind(Gap gap) {
        gaps.add(gap);
        Map<Key, Instant> later = new HashMap<>();
        brokenSince.forEach((key, since) -> {
            Duration share = forgiveness(key.rule()).dividedBy(10);
            Duration length = Duration.between(gap.from(), gap.to());
            boolean tooLong = length.compareTo(share) > 0 || length.compareTo(LONGEST_BLIND) > 0;
            later.put(key, tooLong ? gap.to() : since);
        });
        brokenSince.putAll(later);
    }

    private Policy.NamedRule rule(String name) {
        return policy.rules().stream()
                .filter(it -> it.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Duration forgiveness(String rule) {
        return rule(rule).enforcement().forgiveness();
    }

    /** Checks, after all actions of this instant, that the feeds have delivered the real state of each synced view. */
    void settled() {
        for (WatchedKind watchedKind : FakeServerState.KINDS) {
            if (synced.contains(watchedKind.view())
                    && fakeApiServer.behindSince(watchedKind).isEmpty()) {
                assertThat(all(watchedKind, seen))
                        .as("%s that were delivered", watchedKind)
                        .isEqualTo(all(watchedKind, fakeApiServer.state.truth()));
            }
        }
    }

    /** {@return all objects of a kind, ordered by name or id} */
    static List<Object> all(WatchedKind watchedKind, ReferenceCluster referenceCluster) {
        Collection<?> facts = switch (watchedKind.view()) {
            case PODS -> referenceCluster.pods();
            case NODES -> referenceCluster.nodes();
            case NAMESPACES -> referenceCluster.namespaces();
            default -> throw new IllegalArgumentException("no feed of " + watchedKind);
        };
        return List.copyOf(facts);
    }

    /** Checks an eviction that the engine requests. */
    void evicts(EvictionRequest request) {
        Instant now = clock.instant();
        String what = "eviction of " + request.pod() + " at " + now + " for " + request.rule();
        assertThat(sees()).as("%s: all views are synced", what).isTrue();
        Optional<Pod> victim = fakeApiServer.state.truth().pod(request.uid());
        assertThat(victim).as("%s: the pod exists", what).isPresent();
        request.resourceVersion()
                .ifPresent(version -> assertThat(victim.map(Pod::resourceVersion))
                        .as("%s: version of the pod", what)
                        .contains(version));
        assertThat(victim.filter(Pod::terminating))
                .as("%s: not terminating", what)
                .isEmpty();
        Optional<Instant> behind = FakeServerState.KINDS.stream()
                .flatMap(watchedKind -> fakeApiServer.behindSince(watchedKind).stream())
                .min(Comparator.naturalOrder());
        behind.ifPresent(since -> assertThat(Duration.between(since, now))
                .as("%s: age of the oldest missed change", what)
                .isLessThanOrEqualTo(LONGEST_BEHIND));
        assertThat(broken()).as("%s: real violations", what).contains(request.uid() + " " + request.rule());

        assertThat(observed(new Key(request.uid(), request.rule()), now))
                .as("%s: observed time of the violation", what)
                .isGreaterThanOrEqualTo(forgiveness(request.rule()));
    }

    /** {@return how long the violation was observed, without the periods in which a view was lost} */
    private Duration observed(Key key, Instant now) {
        Instant reached = brokenSince.getOrDefault(key, now);
        Duration observed = Duration.ZERO;
        for (Gap gap : gaps) {
            if (gap.from().isAfter(reached)) {
                observed = observed.plus(Duration.between(reached, gap.from()));
            }
            reached = gap.to().isAfter(reached) ? gap.to() : reached;
        }
        return observed.plus(Duration.between(reached, now));
    }
}
