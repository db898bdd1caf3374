package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.ExistingAntiAffinityView;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.Holders;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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
 * Takes the steps of a history into the index and into the specification, and holds all that the index told and shows
 * to it.
 */
final class HistoryRun implements VerdictListener {
    private static final Set<String> EXEMPT = Set.of("kube-system", "kube-node");

    private final Index index = new Index(EXEMPT, this);
    private final Specification specification = new Specification(EXEMPT);

    /** What the index has told to be broken: the pod's UID and the rule's hash. */
    private final Set<String> told = new TreeSet<>();

    /** What it told of in this step, and what of that came to an end. */
    private final Set<String> toldNow = new HashSet<>();

    private final Map<String, Ending> endings = new TreeMap<>();

    private Optional<String> fault = Optional.empty();
    private int steps;
    private int broken;
    private int mended;

    /** {@return what is wrong after the step; empty when all is well} */
    Optional<String> take(Step step) {
        toldNow.clear();
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
        compareViews();
        return fault;
    }

    /** Lets everything go, one by one. */
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
        Set<String> invented = new TreeSet<>(told);
        for (Pod pod : specification.cluster().pods()) {
            Map<String, Rule> asked = specification.asked(pod);
            check(rulesOf(pod).equals(List.copyOf(asked.keySet())), () -> "asked for " + pod.uid() + " otherwise");
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
                () -> "shown otherwise than told: " + pod.uid() + " " + rule.hash());
        Optional<ViolationDetail> actual = index.breach(pod.uid(), rule);
        boolean same = (actual.isPresent() && expected.isPresent())
                ? isSame(actual.get(), expected.get())
                : actual.equals(expected);
        check(
                same,
                () -> pod.uid() + " is broken by " + expected.map(ViolationDetail::describe) + " and not by "
                        + actual.map(ViolationDetail::describe));
    }

    /** Of partners the index names only some. */
    private static boolean isSame(ViolationDetail actual, ViolationDetail expected) {
        return expected instanceof ViolationDetail.Conflict(String key, String domain, List<Pod> all, int count)
                ? actual instanceof ViolationDetail.Conflict(var itsKey, var itsDomain, var some, var itsCount)
                        && key.equals(itsKey)
                        && domain.equals(itsDomain)
                        && count == itsCount
                        && some.size() == Math.min(count, ViolationDetail.NAMED_PARTNERS)
                        && Set.copyOf(some).size() == some.size()
                        && all.containsAll(some)
                : actual.equals(expected);
    }

    /** Whom others keep out of which nodes, of one pod after the other. */
    private void compareRepulsion() {
        List<Pod> pods = List.copyOf(specification.cluster().pods());
        if (pods.isEmpty()) {
            return;
        }
        Pod pod = pods.get(steps++ % pods.size());
        Predicate<Node> expected =
                ExistingAntiAffinityView.of(specification.cluster()).keepingOut(pod);
        Predicate<Node> actual = index.existingAntiAffinityView().keepingOut(pod);
        for (Node node : specification.cluster().nodes()) {
            check(
                    actual.test(node) == expected.test(node),
                    () -> pod.uid() + " is kept off " + node.name() + " or not, and the index says otherwise");
        }
    }

    private void compareEndings() {
        endings.forEach((key, ending) -> {
            Ending expected = specification.ending(uid(key), hash(key));
            check(ending == expected, () -> "ended by " + ending + " and not by " + expected + ": " + key);
        });
    }

    private void compareSelected() {
        specification
                .selected()
                .forEach((id, pods) -> check(
                        index.selected(id) == pods, () -> id + " selects " + pods + " and not " + index.selected(id)));
        for (Pod pod : specification.cluster().pods()) {
            specification
                    .policies()
                    .forEach(policy -> check(
                            index.isSelected(pod.uid(), policy.id()) == policy.selects(pod, specification.cluster()),
                            () -> policy.id() + " selects " + pod.uid() + " or not, and the index says otherwise"));
        }
    }

    private void compareViews() {
        ClusterView store = specification.cluster();
        ClusterView view = index.view();
        checkSame("pods", view.pods(), store.pods());
        checkSame("nodes", view.nodes(), store.nodes());
        checkSame("namespaces", view.namespaces(), store.namespaces());
        for (Pod pod : store.pods()) {
            check(view.pod(pod.uid()).equals(Optional.of(pod)), () -> "another pod " + pod.uid() + " in the view");
        }
        for (Node node : store.nodes()) {
            check(
                    view.node(node.name()).equals(Optional.of(node)),
                    () -> "another node " + node.name() + " in the view");
            checkSame("pods on " + node.name(), view.podsOn(node.name()), store.podsOn(node.name()));
        }
        Predicate<Labels> web = labels -> labels.has("app", "web");
        checkSame("pods with a label", all(view.podsWith(web)), all(store.podsWith(web)));
        for (Namespace it : store.namespaces()) {
            checkSame("those of one namespace", all(view.podsIn(it.name(), web)), all(store.podsIn(it.name(), web)));
            check(view.namespace(it.name()).equals(Optional.of(it)), () -> "another namespace " + it.name());
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
                        .cluster()
                        .pod(uid(key))
                        .map(pod -> specification.asked(pod).get(hash(key)))
                        .map(Rule::describe)
                        .orElse("a rule not asked");
    }

    private static String uid(String key) {
        return key.substring(0, key.indexOf(' '));
    }

    private static String hash(String key) {
        return key.substring(key.indexOf(' ') + 1);
    }

    @Override
    public void broken(Holders holders, FactChange factChange) {
        broken += holders.size();
        int before = toldNow.size();
        holders.forEach((pod, rule) -> {
            tell(pod, rule);
            check(told.add(key(pod, rule)), () -> "broken twice: " + key(pod, rule));
        });
        check(toldNow.size() == before + holders.size(), () -> "told of other than " + holders.size() + " holders");
    }

    @Override
    public void mended(Holders holders, Ending ending, FactChange factChange) {
        mended += holders.size();
        int before = toldNow.size();
        holders.forEach((pod, rule) -> {
            tell(pod, rule);
            check(told.remove(key(pod, rule)), () -> "mended while whole: " + key(pod, rule));
            endings.put(key(pod, rule), ending);
        });
        check(toldNow.size() == before + holders.size(), () -> "told of other than " + holders.size() + " holders");
    }

    @Override
    public void reasked(Pod holder, HeldRule before, HeldRule after, FactChange factChange) {
        tell(holder, after);
        check(told.contains(key(holder, after)), () -> "asked otherwise while whole: " + key(holder, after));
        check(!before.asks().equals(after.asks()), () -> "asked as before: " + key(holder, after));
    }

    private void tell(Pod pod, HeldRule rule) {
        check(toldNow.add(key(pod, rule)), () -> "told twice of one step: " + key(pod, rule));
    }

    /** Keeps the first fault. */
    private void check(boolean right, Supplier<String> what) {
        if (!right && fault.isEmpty()) {
            fault = Optional.of(what.get());
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
