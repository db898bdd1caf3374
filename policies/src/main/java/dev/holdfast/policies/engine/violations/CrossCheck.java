package dev.holdfast.policies.engine.violations;

import dev.holdfast.policies.engine.live.DirectEvaluation;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares what the engine knows with second sources. A difference is a bug, and other verdicts may be wrong too.
 * Therefore this process evicts no pod after a difference.
 *
 * <ul>
 *   <li>Verdicts: those of the incremental index with those of the reference evaluators (package {@code evaluate}), pod
 *       by pod. The index updates its verdicts with each event; the evaluators compute theirs from all objects.
 *   <li>Contents: cached pods and nodes with those that were read from the API server in the same version, before each
 *       eviction and at random. Two evaluators of the same wrong pod would agree.
 * </ul>
 */
public final class CrossCheck {
    /** How often a random pod and a random node are read: one read of each costs the API server little. */
    private static final Duration SAMPLE_EACH = Duration.ofSeconds(10);

    /** The plan id of reads that belong to no plan. */
    private static final String SAMPLE = "sample";

    private static final long NANOS = 1_000_000_000L;

    private static final List<Part<Pod>> POD_PARTS = List.of(
            new Part<>("name", Pod::name),
            new Part<>("labels", Pod::labels),
            new Part<>("nodeName", Pod::nodeName),
            new Part<>("rules", Pod::scheduling),
            new Part<>("requests", Pod::podRequirements),
            new Part<>("life", Pod::life),
            new Part<>("protection", Pod::victimProtection));

    private static final List<Part<Node>> NODE_PARTS = List.of(
            new Part<>("uid", Node::uid),
            new Part<>("labels", Node::labels),
            new Part<>("taints", Node::taints),
            new Part<>("unschedulable", Node::unschedulable),
            new Part<>("life", Node::life),
            new Part<>("allocatable", Node::allocatable));

    private final LiveCluster cluster;
    private final Index index;
    private final DirectEvaluation evaluation;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final Readiness readiness;
    private int nextPod;
    private Instant nextSample = Instant.MIN;

    public CrossCheck(
            LiveCluster cluster,
            DirectEvaluation evaluation,
            RequestedRules requested,
            ViolationBook book,
            Readiness readiness) {
        this.cluster = cluster;
        this.index = cluster.index();
        this.evaluation = evaluation;
        this.requested = requested;
        this.book = book;
        this.readiness = readiness;
    }

    /**
     * Compares the verdicts of the index and the reference evaluators for the next pods, round robin. A difference
     * stops all evictions of this process.
     *
     * @param most the limit: stops after this many pods, or after the pod with which this many verdicts are compared
     * @return the number of compared verdicts, and the first difference found since the process started
     */
    public Effect.Compared compare(int most, Instant now) {
        int verdicts = 0;
        for (int i = 0; i < most && verdicts < most; i++) {
            Optional<Pod> pod = index.podAt(nextPod++);
            if (pod.isPresent()) {
                difference(pod.get()).ifPresent(difference -> readiness.distrust(difference, now));
                verdicts += index.rulesOf(pod.get().uid()).size();
            }
        }
        return new Effect.Compared(verdicts, readiness.distrust());
    }

    /**
     * {@return the request to read a random pod and a random node, whose contents are compared; empty if the last
     * sample was taken less than ten seconds ago, the cluster is empty, or no policy can enforce} An operator that only
     * audits may not read single pods.
     */
    public Optional<Effect> sample(Instant now) {
        if (now.isBefore(nextSample) || readiness.ceiling() != Mode.ENFORCE) {
            return Optional.empty();
        }
        nextSample = now.plus(SAMPLE_EACH);
        SplittableRandom random = new SplittableRandom(now.getEpochSecond() * NANOS + now.getNano());
        Optional<Node> node = cluster.nodes().stream()
                .skip(random.nextInt(Math.max(1, cluster.nodes().size())))
                .findFirst();
        return index.podAt(random.nextInt(Integer.MAX_VALUE))
                .flatMap(pod -> node.map(it -> new Effect.Confirm(SAMPLE, pod.name(), it.name(), List.of())));
    }

    /** {@return whether an event is the answer to a sample, which changes nothing if the contents do not differ} */
    public static boolean isOfSample(Event event) {
        return (event instanceof Event.Confirmed confirmed && confirmed.planId().equals(SAMPLE))
                || (event instanceof Event.ConfirmFailed failed
                        && failed.planId().equals(SAMPLE));
    }

    /**
     * Compares pods and nodes that were read from the API server with the cached ones of the same version. An object of
     * another version proves nothing: the object changed between the two reads. The first difference stops all
     * evictions, and its effect has both values for the log.
     */
    public void contents(Event.Confirmed read, Instant now, List<Effect> effects) {
        Stream.of(
                        read.pod().stream(),
                        read.partners().stream(),
                        read.counted().stream().flatMap(counted -> counted.pods().stream()))
                .flatMap(pods -> pods)
                .flatMap(pod -> wrongContent(pod).stream())
                .findFirst()
                .or(() -> read.node().flatMap(this::wrongContent))
                .ifPresent(difference -> {
                    readiness.distrust(difference.message(), now);
                    effects.add(new Effect.Compared(0, Optional.of(difference.message() + ": " + difference.values())));
                });
    }

    private Optional<WrongContent> wrongContent(Pod read) {
        return cluster.pod(read.uid())
                .filter(cached -> cached.resourceVersion() == read.resourceVersion() && !cached.equals(read))
                .map(cached -> WrongContent.of(
                        "pod " + read.name() + " in version " + read.resourceVersion(), cached, read, POD_PARTS));
    }

    private Optional<WrongContent> wrongContent(Node read) {
        return cluster.node(read.name())
                .filter(cached -> cached.resourceVersion() == read.resourceVersion() && !cached.equals(read))
                .map(cached -> WrongContent.of(
                        "node " + read.name() + " in version " + read.resourceVersion(), cached, read, NODE_PARTS));
    }

    /** A part of an object whose values are compared and shown. */
    private record Part<T>(String name, Function<T, Object> value) {
        boolean differs(T cached, T read) {
            return !value.apply(cached).equals(value.apply(read));
        }

        String values(T cached, T read) {
            return name + " cached " + value.apply(cached) + ", at the API server " + value.apply(read);
        }
    }

    /**
     * An object whose cached content differs from that of the API server.
     *
     * @param message names the object and the parts that differ
     * @param values both values of these parts
     */
    private record WrongContent(String message, String values) {
        static <T> WrongContent of(String object, T cached, T read, List<Part<T>> parts) {
            List<Part<T>> differing =
                    parts.stream().filter(part -> part.differs(cached, read)).toList();
            String names = differing.stream().map(Part::name).collect(Collectors.joining(", "));
            return new WrongContent(
                    object + " has other " + (names.isEmpty() ? "contents" : names)
                            + " in the cache than at the API server",
                    differing.stream().map(part -> part.values(cached, read)).collect(Collectors.joining("; ")));
        }
    }

    /**
     * Compares the index's verdict for one violation with that of the reference evaluator. A difference stops all
     * evictions.
     *
     * @return the violation; empty if its clock does not run, or if the verdicts differ
     */
    public Optional<Violation> confirm(ViolationKey key, Instant now, List<Effect> effects) {
        Optional<Violation> known = book.find(key);
        if (known.isPresent()) {
            Pod pod = cluster.pod(key.podUid()).orElseThrow();
            Optional<String> difference = difference(pod, requested.get(key));
            difference.ifPresent(it -> readiness.distrust(it, now));
            effects.add(new Effect.Compared(1, readiness.distrust()));
            return known.filter(_ -> difference.isEmpty());
        }
        return known;
    }

    private Optional<String> difference(Pod pod) {
        for (Policy policy : index.policies()) {
            boolean selects = policy.selects(pod, cluster);
            if (selects != index.isSelected(pod.uid(), policy.id())) {
                return Optional.of("policy " + policy.id() + (selects ? " selects" : " does not select") + " pod "
                        + pod.name() + ", but the index says the opposite");
            }
        }
        for (AppliedRule rule : index.rulesOf(pod.uid())) {
            Optional<String> difference = difference(pod, rule);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    /**
     * {@return how three sources disagree on whether a pod violates a rule, as text; empty if they agree} The sources
     * are the reference evaluator, the index, and the clock of the violation, which must run exactly while the rule is
     * violated.
     */
    private Optional<String> difference(Pod pod, AppliedRule rule) {
        boolean broken = evaluation.verdict(rule.rule(), pod) instanceof Verdict.Violated;
        boolean counted = index.isBroken(pod.uid(), rule.identity());
        boolean running = book.find(pod.uid(), rule.identity()).isPresent();
        if (broken == counted && broken == running) {
            return Optional.empty();
        }
        return Optional.of("pod " + pod.name() + ", rule " + rule.rule().describe() + ": evaluate says "
                + word(broken) + ", the index " + word(counted) + ", and its clock "
                + (running ? "runs" : "does not run"));
    }

    private static String word(boolean broken) {
        return broken ? "Violated" : "not Violated";
    }
}
