package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.NodeRejection;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Applies the steps of a history to the index and to the {@link Specification}, and compares all that the index reports
 * and returns. A history is a random sequence of cluster events and policy changes.
 */
final class HistoryRun implements VerdictListener {
    private static final Set<String> EXEMPT = Set.of("kube-system", "kube-node");

    /** The comparison of all conflicts takes as long as that of all verdicts, so not each step makes it. */
    private static final int BROKEN_BY_EACH = 16;

    private final Index index = new Index(EXEMPT, this);
    private final Specification specification = new Specification(EXEMPT);

    /** The violations that the index has reported and that have not ended, each as pod UID and rule hash. */
    private final Set<String> reported = new TreeSet<>();

    /** The violations that the index reported in the current step as begun, changed or ended. */
    private final Set<String> reportedNow = new HashSet<>();

    private final Map<String, Ending> endings = new TreeMap<>();

    private Optional<String> fault = Optional.empty();
    private int steps;
    private int broken;
    private int mended;

    /**
     * Applies a step, compares the index with the specification, and returns the first difference; empty if there is
     * none.
     */
    Optional<String> take(Step step) {
        reportedNow.clear();
        endings.clear();
        specification.take(step);
        switch (step) {
            case Step.Fact(ClusterEvent event) -> index.apply(event);
            case Step.PolicyPut(Policy policy) -> index.put(policy);
            case Step.PolicyRemoved(PolicyId id) -> index.remove(id);
        }
        compareVerdicts();
        compareEndings();
        compareRepulsion();
        compareSelected();
        compareBrokenBy();
        compareViews();
        return fault;
    }

    /** Deletes every object and policy one by one, and fails at the first difference. */
    void takeAllBack() {
        List<Step> steps = specification.undoing();
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

    private void compareVerdicts() {
        Set<String> missed = new TreeSet<>();
        Set<String> invented = new TreeSet<>(reported);
        for (Pod pod : specification.referenceCluster().pods()) {
            Map<String, Rule> asked = specification.asked(pod);
            check(rulesOf(pod).equals(List.copyOf(asked.keySet())), () -> "other rules for " + pod.uid());
            asked.forEach((hash, rule) -> {
                Optional<ViolationDetail> expected = specification.breach(rule, pod);
                String key = pod.uid() + " " + hash;
                if (expected.isPresent() && !invented.remove(key)) {
                    missed.add(key);
                } else {
                    compareShown(pod, new RuleIdentity(hash), expected);
                }
            });
        }
        check(
                missed.isEmpty() && invented.isEmpty(),
                () -> "missed: " + missed.stream().map(this::named).toList() + ", invented: "
                        + invented.stream().map(this::named).toList());
    }

    private List<String> rulesOf(Pod pod) {
        return index.rulesOf(pod.uid()).stream()
                .map(rule -> rule.identity().hash())
                .toList();
    }

    private void compareShown(Pod pod, RuleIdentity rule, Optional<ViolationDetail> expected) {
        check(
                index.isBroken(pod.uid(), rule) == expected.isPresent(),
                () -> "isBroken() differs from the report: " + pod.uid() + " " + rule.hash());
        Optional<ViolationDetail> actual = index.violationDetail(pod.uid(), rule);
        boolean same = (actual.isPresent() && expected.isPresent())
                ? isSame(actual.get(), expected.get())
                : actual.equals(expected);
        check(
                same,
                () -> pod.uid() + " violates by " + expected.map(ViolationDetail::describe) + ", but the index says "
                        + actual.map(ViolationDetail::describe));
    }

    /**
     * {@return whether both violations are equal} For an anti-affinity conflict, the index lists only some of the
     * partners.
     */
    private static boolean isSame(ViolationDetail actual, ViolationDetail expected) {
        return expected instanceof ViolationDetail.Conflict(String key, String domain, List<Pod> all, int count, int _)
                ? actual instanceof ViolationDetail.Conflict(var itsKey, var itsDomain, var some, var itsCount, var _)
                        && key.equals(itsKey)
                        && domain.equals(itsDomain)
                        && count == itsCount
                        && some.size() == Math.min(count, ViolationDetail.NAMED_PARTNERS)
                        && Set.copyOf(some).size() == some.size()
                        && all.containsAll(some)
                : actual.equals(expected);
    }

    /** Compares, for one pod in each step, the nodes from which the anti-affinity of existing pods excludes the pod. */
    private void compareRepulsion() {
        List<Pod> pods = List.copyOf(specification.referenceCluster().pods());
        if (pods.isEmpty()) {
            return;
        }
        Pod pod = pods.get(steps++ % pods.size());
        NodeRejection expected =
                ExistingAntiAffinityView.of(specification.referenceCluster()).rejection(pod);
        NodeRejection actual = index.existingAntiAffinityView().rejection(pod);
        for (Node node : specification.referenceCluster().nodes()) {
            check(
                    actual.to(node).equals(expected.to(node)),
                    () -> pod.uid() + ": the index differs on whether it is kept off " + node.name());
        }
    }

    private void compareEndings() {
        endings.forEach((key, ending) -> {
            Ending expected = specification.ending(uid(key), hash(key));
            check(ending == expected, () -> "ended as " + ending + " instead of " + expected + ": " + key);
        });
    }

    private void compareSelected() {
        specification
                .selected()
                .forEach((id, pods) -> check(
                        index.selected(id) == pods,
                        () -> id + " selects " + pods + " pods, but the index says " + index.selected(id)));
        for (Pod pod : specification.referenceCluster().pods()) {
            specification
                    .policies()
                    .forEach(policy -> check(
                            index.isSelected(pod.uid(), policy.id())
                                    == policy.selects(pod, specification.referenceCluster()),
                            () -> policy.id() + ": the index differs on whether it selects " + pod.uid()));
        }
        specification.policies().forEach(policy -> {
            List<Pod> found = new ArrayList<>();
            index.forEachSelected(policy.id(), found::add);
            checkSame(
                    "pods that " + policy.id() + " selects",
                    found,
                    specification.referenceCluster().pods().stream()
                            .filter(pod -> policy.selects(pod, specification.referenceCluster()))
                            .toList());
        });
    }

    /**
     * Compares which anti-affinity violations each pod causes, found by that pod and found by the pods with the rules.
     */
    private void compareBrokenBy() {
        if (steps % BROKEN_BY_EACH != 0) {
            return;
        }
        Map<String, Set<String>> expected = new HashMap<>();
        for (Pod pod : specification.referenceCluster().pods()) {
            specification
                    .asked(pod)
                    .forEach((hash, rule) -> specification
                            .breach(rule, pod)
                            .filter(ViolationDetail.Conflict.class::isInstance)
                            .ifPresent(conflict -> conflict.partners()
                                    .forEach(partner -> expected.computeIfAbsent(partner.uid(), _ -> new TreeSet<>())
                                            .add(pod.uid() + " " + hash))));
        }
        for (Pod pod : specification.referenceCluster().pods()) {
            Set<String> found = new TreeSet<>();
            index.forEachBrokenBy(
                    pod.uid(),
                    (owner, rule) ->
                            found.add(owner.uid() + " " + rule.identity().hash()));
            // A pod that a term of its own matches is in the domain, and is no partner of itself.
            found.removeIf(key -> uid(key).equals(pod.uid()));
            check(
                    found.equals(expected.getOrDefault(pod.uid(), Set.of())),
                    () -> pod.uid() + " breaks " + expected.get(pod.uid()) + ", but the index says " + found);
        }
    }

    private void compareViews() {
        ClusterView store = specification.referenceCluster();
        ClusterView view = index.view();
        checkSame("pods", view.pods(), store.pods());
        checkSame("nodes", view.nodes(), store.nodes());
        checkSame("namespaces", view.namespaces(), store.namespaces());
        for (Pod pod : store.pods()) {
            check(view.pod(pod.uid()).equals(Optional.of(pod)), () -> "the view has another state of pod " + pod.uid());
        }
        for (Node node : store.nodes()) {
            check(
                    view.node(node.name()).equals(Optional.of(node)),
                    () -> "the view has another state of node " + node.name());
            checkSame("pods on " + node.name(), view.podsOn(node.name()), store.podsOn(node.name()));
        }
        Predicate<Labels> web = labels -> labels.has("app", "web");
        checkSame("pods with a label", all(view.podsWith(web)), all(store.podsWith(web)));
        for (Namespace it : store.namespaces()) {
            checkSame(
                    "pods of one namespace with a label",
                    all(view.podsIn(it.name(), web)),
                    all(store.podsIn(it.name(), web)));
            check(
                    view.namespace(it.name()).equals(Optional.of(it)),
                    () -> "the view has another state of namespace " + it.name());
            checkSame("pods in " + it.name(), view.podsIn(it.name()), store.podsIn(it.name()));
        }
    }

    private static List<Pod> all(Iterable<Pod> pods) {
        List<Pod> all = new ArrayList<>();
        pods.forEach(all::add);
        return all;
    }

    private <T> void checkSame(String what, Collection<T> actual, Collection<T> expected) {
        check(
                actual.size() == expected.size() && new HashSet<>(actual).equals(new HashSet<>(expected)),
                () -> what + " differ in the view");
    }

    private String named(String key) {
        return uid(key) + ": "
                + specification
                        .referenceCluster()
                        .pod(uid(key))
                        .map(pod -> specification.asked(pod).get(hash(key)))
                        .map(Rule::describe)
                        .orElse("a rule that it is not held to");
    }

    private static String uid(String key) {
        return key.substring(0, key.indexOf(' '));
    }

    private static String hash(String key) {
        return key.substring(key.indexOf(' ') + 1);
    }

    @Override
    public void broken(RuleOwners ruleOwners, FactChange factChange) {
        broken += ruleOwners.size();
        int before = reportedNow.size();
        ruleOwners.forEach((pod, rule) -> {
            tell(pod, rule);
            check(reported.add(key(pod, rule)), () -> "reported broken twice: " + key(pod, rule));
        });
        check(
                reportedNow.size() == before + ruleOwners.size(),
                () -> "forEach() does not give " + ruleOwners.size() + " holders");
    }

    @Override
    public void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange) {
        mended += ruleOwners.size();
        int before = reportedNow.size();
        ruleOwners.forEach((pod, rule) -> {
            tell(pod, rule);
            check(reported.remove(key(pod, rule)), () -> "reported mended, but was not broken: " + key(pod, rule));
            endings.put(key(pod, rule), ending);
        });
        check(
                reportedNow.size() == before + ruleOwners.size(),
                () -> "forEach() does not give " + ruleOwners.size() + " holders");
    }

    @Override
    public void requestsChanged(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange) {
        tell(holder, after);
        check(
                reported.contains(key(holder, after)),
                () -> "reported requestsChanged, but was not broken: " + key(holder, after));
        check(
                !before.requests().equals(after.requests()),
                () -> "reported requestsChanged, but with the same requests: " + key(holder, after));
    }

    private void tell(Pod pod, AppliedRule rule) {
        check(reportedNow.add(key(pod, rule)), () -> "reported twice in one step: " + key(pod, rule));
    }

    /** Records a difference, unless there was one before. */
    private void check(boolean right, Supplier<String> what) {
        if (!right && fault.isEmpty()) {
            fault = Optional.of(what.get());
        }
    }

    private static String key(Pod pod, AppliedRule rule) {
        return pod.uid() + " " + rule.identity().hash();
    }

    /**
     * {@return the first difference that a whole history leads to, with the number of the step; empty if there is none}
     */
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
