package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.HidingView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of a history into the index and into a plain store, and holds what the index told to what {@code
 * evaluate} says of the store.
 */
final class HistoryRun implements VerdictListener {
    private static final Set<String> EXEMPT = Set.of("kube-system");

    private final Index index = new Index(EXEMPT, this);
    private final Cluster cluster = new Cluster();
    private final ClusterView withoutExempt = new HidingView(cluster, pod -> EXEMPT.contains(pod.namespace()));
    private final Map<PolicyId, Policy> policies = new TreeMap<>();

    /** What the index has told to be broken. */
    private final Set<String> told = new TreeSet<>();

    /** Hashing a rule takes longer than judging it. */
    private final Map<Rule, String> hashes = new HashMap<>();

    private Optional<String> fault = Optional.empty();
    private int broken;
    private int mended;

    /** {@return what is wrong after the step; empty when all is well} */
    Optional<String> take(Step step) {
        switch (step) {
            case Step.Fact(var event) -> {
                cluster.apply(event);
                index.apply(event);
            }
            case Step.PolicyPut(Policy policy) -> {
                policies.put(policy.id(), policy);
                index.put(policy);
            }
            case Step.PolicyRemoved(PolicyId id) -> {
                policies.remove(id);
                index.remove(id);
            }
        }
        return fault.or(this::difference);
    }

    /** Lets everything go, one by one. */
    void takeAllBack() {
        List<Step> steps = new ArrayList<>();
        cluster.namespaces().forEach(it -> steps.add(new Step.Fact(new ClusterEvent.NamespaceGone(it.name()))));
        cluster.pods().forEach(it -> steps.add(new Step.Fact(new ClusterEvent.PodGone(it.uid()))));
        cluster.nodes().forEach(it -> steps.add(new Step.Fact(new ClusterEvent.NodeGone(it.name()))));
        policies.keySet().forEach(it -> steps.add(new Step.PolicyRemoved(it)));
        Collections.shuffle(steps, new Random(steps.size()));
        for (Step step : steps) {
            take(step).ifPresent(fault -> {
                throw new AssertionError(fault + " after " + step);
            });
        }
    }

    Index index() {
        return index;
    }

    int brokenSoFar() {
        return broken;
    }

    int mendedSoFar() {
        return mended;
    }

    private Optional<String> difference() {
        Set<String> broken = new TreeSet<>();
        Map<PolicyId, Integer> selected = new TreeMap<>();
        for (Pod pod : cluster.pods()) {
            policies.values().stream()
                    .filter(policy -> policy.selects(pod, cluster))
                    .forEach(policy -> selected.merge(policy.id(), 1, Integer::sum));
            asked(pod).forEach((hash, rule) -> {
                ClusterView view = rule instanceof Rule.PodAntiAffinity ? withoutExempt : cluster;
                boolean exempt = rule instanceof Rule.PodAntiAffinity && EXEMPT.contains(pod.namespace());
                if (!exempt && Evaluator.judge(rule, pod, view) instanceof Verdict.Violated(Breach breach)) {
                    broken.add(pod.uid() + " " + hash);
                    sameBreach(pod, hash, breach);
                }
            });
        }
        for (PolicyId id : policies.keySet()) {
            if (index.selected(id) != selected.getOrDefault(id, 0)) {
                fault = Optional.of(id + " selects " + selected.get(id) + " pods and not " + index.selected(id));
            }
        }
        if (broken.equals(told)) {
            return fault;
        }
        Set<String> missed = new TreeSet<>(broken);
        missed.removeAll(told);
        Set<String> invented = new TreeSet<>(told);
        invented.removeAll(broken);
        return Optional.of("missed: " + named(missed) + ", invented: " + named(invented));
    }

    /** Of partners the index names only some. */
    private void sameBreach(Pod pod, String hash, Breach expected) {
        Optional<Breach> actual = index.breach(pod.uid(), new RuleIdentity(hash));
        boolean same = expected instanceof Breach.Conflict(String key, String domain, List<Pod> all, int count)
                ? actual.orElse(expected) instanceof Breach.Conflict(var itsKey, var itsDomain, var some, var itsCount)
                        && key.equals(itsKey)
                        && domain.equals(itsDomain)
                        && count == itsCount
                        && some.size() == Math.min(count, Breach.NAMED_PARTNERS)
                        && Set.copyOf(some).size() == some.size()
                        && all.containsAll(some)
                : actual.equals(Optional.of(expected));
        if (actual.isPresent() && !same) {
            fault = Optional.of(pod.uid() + " is broken by " + expected.describe() + " and not by "
                    + actual.get().describe());
        }
    }

    private String named(Set<String> violations) {
        TreeSet<String> named = new TreeSet<>();
        for (String violation : violations) {
            String uid = violation.substring(0, violation.indexOf(' '));
            String rule = cluster.pod(uid)
                    .map(pod -> asked(pod).get(violation.substring(violation.indexOf(' ') + 1)))
                    .map(Rule::describe)
                    .orElse("a rule not asked");
            named.add(uid + ": " + rule);
        }
        return named.toString();
    }

    private Map<String, Rule> asked(Pod pod) {
        Map<String, Rule> asked = new TreeMap<>();
        for (Policy policy : policies.values()) {
            if (policy.selects(pod, cluster)) {
                for (Rule rule : PodRules.of(pod.scheduling())) {
                    if (wants(policy.podRules().get(rule.kind()))) {
                        asked.putIfAbsent(hash(rule), rule);
                    }
                }
                policy.rules().stream()
                        .filter(rule -> wants(rule.enforcement()))
                        .forEach(rule -> asked.putIfAbsent(hash(rule.rule()), rule.rule()));
            }
        }
        return asked;
    }

    private String hash(Rule rule) {
        return hashes.computeIfAbsent(rule, it -> it.identity().hash());
    }

    private static boolean wants(@Nullable Enforcement enforcement) {
        return enforcement != null && enforcement.mode() != Mode.OFF;
    }

    @Override
    public void broken(Holders holders, Change change) {
        broken += holders.size();
        holders.forEach((pod, rule) -> note(told.add(key(pod, rule)), "broken twice", pod, rule));
    }

    @Override
    public void mended(Holders holders, Ending ending, Change change) {
        mended += holders.size();
        holders.forEach((pod, rule) -> note(told.remove(key(pod, rule)), "mended while whole", pod, rule));
    }

    @Override
    public void reasked(Pod holder, HeldRule before, HeldRule after, Change change) {
        note(told.contains(key(holder, after)), "asked otherwise while whole", holder, after);
        note(!before.asks().equals(after.asks()), "asked as before", holder, after);
    }

    private void note(boolean right, String what, Pod pod, HeldRule rule) {
        if (!right) {
            fault = Optional.of(what + ": " + key(pod, rule));
        }
    }

    private static String key(Pod pod, HeldRule rule) {
        return pod.uid() + " " + rule.identity().hash();
    }

    /** {@return the first fault of a whole history, with the number of its step} */
    static Optional<String> faultOf(List<Step> history) {
        HistoryRun run = new HistoryRun();
        for (int i = 0; i < history.size(); i++) {
            Optional<String> fault;
            try {
                fault = run.take(history.get(i));
            } catch (RuntimeException e) {
                fault = Optional.of(e + " at " + e.getStackTrace()[0]);
            }
            if (fault.isPresent()) {
                return Optional.of("after step " + (i + 1) + ": " + fault.get());
            }
        }
        return Optional.empty();
    }
}
