package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Policies of which an edit would have so many pods moved that somebody must say first that this is meant. What counts is
 * what an edit starts or starts anew, where the policy enforces it; a policy that is made is an edit, too. What was there
 * when the operator started was never edited.
 *
 * <p>Example: with 400 pods an edit may bring 10 that break a rule, with 4,000 it may bring 40.
 */
public final class PolicyBacklogs {
    private static final String WHAT = "backlog";

    /** So many pods no edit is asked about. */
    private static final int FEW = 10;

    /** And no more of all that the policy selects: one of so many. */
    private static final int SHARE = 100;

    private final Index index;
    private final Map<PolicyId, Backlog> backlogs = new HashMap<>();

    /** What the annotations of policies acknowledge, where they do. */
    private final Map<PolicyId, Set<String>> acknowledged = new HashMap<>();

    /** What nobody has been told of yet. */
    private final List<BrakeReport> news = new ArrayList<>();

    PolicyBacklogs(Index index) {
        this.index = index;
    }

    /**
     * What an edit has brought, and is not acknowledged.
     *
     * @param most as many pods may break a rule without anybody being asked
     */
    private record Backlog(String id, long generation, ViolatingPodCount added, int selected, int most) {}

    /**
     * Takes an edit of a policy: what it adds comes on top of what is not acknowledged yet, under another id.
     *
     * @param started the violations whose time it has started, or started anew
     */
    public void edited(Policy policy, Collection<ViolationKey> started, Instant now) {
        PolicyId id = policy.id();
        ViolatingPodCount added = new ViolatingPodCount();
        started.stream().filter(key -> isEnforced(id, key)).forEach(added::add);
        boolean adds = added.pods() > 0;
        Optional<Backlog> before = Optional.ofNullable(backlogs.get(id));
        before.map(Backlog::added).map(ViolatingPodCount::violations).stream()
                .flatMap(Set::stream)
                .filter(key -> isEnforced(id, key))
                .forEach(added::add);
        int selected = index.selected(id);
        int most = Math.max(FEW, selected / SHARE);
        if (added.pods() <= most) {
            before.ifPresent(backlog -> over(id, backlog));
        } else if (before.isPresent() && !adds) {
            Backlog same = before.get();
            backlogs.put(id, new Backlog(same.id(), same.generation(), added, selected, most));
        } else {
            begins(id, new Backlog(BreakerOpening.newId(WHAT, now), policy.generation(), added, selected, most));
        }
    }

    private void begins(PolicyId policy, Backlog backlog) {
        backlogs.put(policy, backlog);
        tell(policy, backlog, BrakeReport.Turn.OPENED, describe(policy, backlog));
    }

    private void over(PolicyId policy, Backlog backlog) {
        backlogs.remove(policy);
        tell(
                policy,
                backlog,
                BrakeReport.Turn.HEALED,
                "of the pods that the policy would have had moved since generation " + backlog.generation()
                        + " no more than " + backlog.most() + " are left: nobody needs to acknowledge them any more");
    }

    private void tell(PolicyId policy, Backlog backlog, BrakeReport.Turn turn, String message) {
        news.add(new BacklogReport(policy, backlog.id(), turn, message));
    }

    private boolean isEnforced(PolicyId policy, ViolationKey key) {
        return index.rule(key.podUid(), key.rule()).map(HeldRule::asks).stream()
                .flatMap(Collection::stream)
                .anyMatch(
                        ask -> ask.policy().equals(policy) && ask.enforcement().mode() == Mode.ENFORCE);
    }

    /** Takes the ids that somebody says are meant, by an annotation of the policy. */
    public void acknowledged(PolicyId policy, Set<String> ids) {
        Backlog backlog = backlogs.get(policy);
        Set<String> unknown = new TreeSet<>(ids);
        unknown.removeAll(acknowledgedBefore(policy, ids));
        if (backlog != null && unknown.remove(backlog.id())) {
            backlogs.remove(policy);
            tell(
                    policy,
                    backlog,
                    BrakeReport.Turn.ACKNOWLEDGED,
                    "somebody acknowledged that since generation " + backlog.generation() + " the policy has "
                            + backlog.added().pods() + " of its " + backlog.selected()
                            + " pods moved: they go as they are due and the limits allow");
        }
        if (!unknown.isEmpty()) {
            List<String> open = Optional.ofNullable(backlogs.get(policy)).map(Backlog::id).stream()
                    .toList();
            news.add(UnknownAcknowledgement.of(Optional.of(policy), unknown, open));
        }
    }

    private Set<String> acknowledgedBefore(PolicyId policy, Set<String> ids) {
        Set<String> before = ids.isEmpty() ? acknowledged.remove(policy) : acknowledged.put(policy, ids);
        return before == null ? Set.of() : before;
    }

    /** Forgets a policy that is gone. */
    public void forget(PolicyId policy) {
        backlogs.remove(policy);
        acknowledged.remove(policy);
    }

    /** Takes a violation that begins while somebody is to be asked: pods that are made anew are meant as much as those before. */
    void begin(ViolationKey key) {
        backlogs.forEach((policy, backlog) -> {
            if (isEnforced(policy, key)) {
                backlog.added().add(key);
            }
        });
    }

    /** Takes that a violation is over: when few enough are left of what an edit has brought, nobody needs to be asked. */
    void end(ViolationKey key) {
        if (backlogs.isEmpty()) {
            return;
        }
        backlogs.values().forEach(backlog -> backlog.added().remove(key));
        for (Map.Entry<PolicyId, Backlog> each : List.copyOf(backlogs.entrySet())) {
            if (each.getValue().added().pods() <= each.getValue().most()) {
                over(each.getKey(), each.getValue());
            }
        }
    }

    /** {@return whether anything began or is over that nobody has been told of} */
    boolean hasNews() {
        return !news.isEmpty();
    }

    /** {@return what began and is over that nobody has been told of, in order} */
    List<BrakeReport> news() {
        List<BrakeReport> told = List.copyOf(news);
        news.clear();
        return told;
    }

    /** {@return what is against moving any pod for a policy} */
    Optional<Hold> against(PolicyId policy) {
        return Optional.ofNullable(backlogs.get(policy))
                .map(backlog -> Hold.untilChange(Reason.POLICY_BACKLOG, describe(policy, backlog)));
    }

    private static String describe(PolicyId policy, Backlog backlog) {
        String object = policy.namespace()
                .map(namespace -> "placementpolicy -n " + namespace + " " + policy.name())
                .orElseGet(() -> "clusterplacementpolicy " + policy.name());
        String since = backlog.generation() == 1 ? "made" : "edited, generation " + backlog.generation();
        return "since it was " + since + ", the policy would have "
                + backlog.added().pods() + " of its " + backlog.selected() + " pods moved, more than "
                + backlog.most()
                + ": nothing is moved for it until it is acknowledged that this is meant: kubectl annotate "
                + object + " --overwrite " + DisruptionAnnotations.ACKNOWLEDGE + "=" + backlog.id();
    }

    /** {@return how much is remembered} */
    int size() {
        return backlogs.values().stream()
                        .mapToInt(backlog -> backlog.added().pods())
                        .sum()
                + acknowledged.size();
    }
}
