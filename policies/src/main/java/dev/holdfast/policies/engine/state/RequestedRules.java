package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.KeepAnnotations;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What policies request for violated rules: the rule itself, its mode and its forgiveness. No mode is stronger than the
 * mode ceiling, which the configuration and the operator's permissions set.
 */
public final class RequestedRules {
    private final LiveCluster cluster;
    private final Readiness readiness;
    private final Map<PolicyId, DisruptionControls> controls = new HashMap<>();
    private final Map<PolicyId, String> uids = new HashMap<>();
    private final Map<PolicyId, Edit> edits = new HashMap<>();
    private final String settings;

    /**
     * The last edit of a policy.
     *
     * @param before the version that it replaced
     */
    private record Edit(String before, Instant at) {}

    /** The version of a policy that did not exist. */
    public static final String NO_VERSION = "/0";

    /** @param settings a text that changes if the settings of the operator protect other pods than before */
    public RequestedRules(LiveCluster cluster, Readiness readiness, String settings) {
        this.settings = Integer.toHexString(settings.hashCode());
        this.cluster = cluster;
        this.readiness = readiness;
    }

    /**
     * {@return the violated rule, with the policies that request it now and their settings; empty if no policy does}
     */
    public Optional<AppliedRule> find(ViolationKey key) {
        return cluster.index().rule(key.podUid(), key.rule());
    }

    /**
     * {@return the violated rule, with the policies that request it now and their settings} At least one policy must
     * request the rule.
     */
    public AppliedRule get(ViolationKey key) {
        return find(key).orElseThrow();
    }

    /** Calls the action for each pod that a policy selects. */
    void forEachSelected(PolicyId policy, Consumer<Pod> action) {
        cluster.index().forEachSelected(policy, action);
    }

    /** {@return the mode ceiling: the strongest mode in which any policy acts} */
    public Mode ceiling() {
        return readiness.ceiling();
    }

    /**
     * {@return whether any policy enforces the rule of a violation; false while the mode ceiling is weaker than
     * ENFORCE}
     */
    public boolean isEnforced(ViolationKey key) {
        return find(key).filter(rule -> rule.mode(ceiling()) == Mode.ENFORCE).isPresent();
    }

    /**
     * {@return what breaks the rule of a running violation now, for example partners; empty if the index does not show
     * the violation}
     */
    public Optional<ViolationDetail> violationDetail(ViolationKey key) {
        return cluster.index().violationDetail(key.podUid(), key.rule());
    }

    /**
     * {@return the disruption controls of a policy: when it may evict pods, how many, and which pods it leaves alone}
     */
    public DisruptionControls controlsOf(PolicyId policy) {
        return controls.getOrDefault(policy, DisruptionControls.plain());
    }

    /** {@return the policies of which an exception ends between two wall-clock times, the later one included} */
    public List<PolicyId> withEndedException(Instant from, Instant to) {
        List<PolicyId> found = new ArrayList<>();
        controls.forEach((policy, own) -> own.exceptions().stream()
                .flatMap(exception -> exception.until().stream())
                .filter(end -> end.isAfter(from) && !end.isAfter(to))
                .findAny()
                .ifPresent(_ -> found.add(policy)));
        return found;
    }

    /**
     * {@return whether a policy may evict a rule owner for a cause: the label of a pod of another namespace counts only
     * if the rule or the policy trusts that namespace} An untrusted cause holds the rule owner anyway.
     */
    public boolean trusts(PolicyId policy, Rule rule, Pod owner, Cause cause) {
        if (!(cause instanceof Cause.PartnerLabelChanged(NamespacedName partner, var _))
                || partner.namespace().equals(owner.namespace())) {
            return true;
        }
        String namespace = partner.namespace();
        return controlsOf(policy).trusts(namespace, cluster)
                || terms(rule).stream().anyMatch(term -> selects(term, owner, namespace));
    }

    private boolean selects(PodAffinityTerm term, Pod owner, String namespace) {
        return TermMatcher.of(term, owner.namespace()) instanceof ParseResult.Usable<TermMatcher>(TermMatcher matcher)
                && matcher.selectsExplicitly(namespace, cluster);
    }

    private static List<PodAffinityTerm> terms(Rule rule) {
        return switch (rule) {
            case Rule.PodAffinity(List<PodAffinityTerm> terms) -> terms;
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> List.of(term);
            case Rule.OfNode _, Rule.TopologySpread _ -> List.of();
        };
    }

    /** Sets the disruption controls of a policy. */
    void put(PolicyId policy, DisruptionControls disruptionControls) {
        controls.put(policy, disruptionControls);
    }

    /** Records the UID of the object that a policy is now. */
    public void identify(PolicyId policy, String uid) {
        uids.put(policy, uid);
    }

    /** {@return the UID of the object that a policy is now; empty text if none was recorded} */
    public String uid(PolicyId policy) {
        return uids.getOrDefault(policy, "");
    }

    /**
     * {@return the version of a policy: the UID and generation of its object, and the operator's protection of pods}
     */
    public String version(PolicyId policy) {
        return objectVersion(policy) + "/" + settings;
    }

    /** {@return the UID and generation of a policy's object} */
    public String objectVersion(PolicyId policy) {
        return uid(policy) + "/"
                + cluster.index().policy(policy).map(Policy::generation).orElse(0L);
    }

    /**
     * Records that a policy is edited now, while this process watches.
     *
     * @param before the version that the edit replaces
     */
    public void edited(PolicyId policy, String before, Instant now) {
        edits.put(policy, new Edit(before, now));
    }

    /**
     * {@return whether this process has seen the only edit of a policy since it had a version}
     *
     * @param before that version
     * @param early if the edit came before this instant, processes that knew the version should have seen the edit too
     */
    public boolean hasSeenEdit(PolicyId policy, String before, Instant early) {
        return Optional.ofNullable(edits.get(policy))
                .filter(edit -> edit.before().equals(before) && edit.at().isAfter(early))
                .isPresent();
    }

    public void forget(PolicyId policy) {
        controls.remove(policy);
        uids.remove(policy);
        edits.remove(policy);
    }

    /**
     * {@return the forgiveness of one policy that requests the rule of a violation, lengthened by annotations as far as
     * this policy honors them}
     */
    public Duration forgiveness(ViolationKey key, AppliedRule rule, PolicyId policy) {
        Duration requested = rule.forgiveness(policy);
        List<DisruptionAnnotations> disruptionAnnotations = cluster.pod(key.podUid())
                .map(pod -> KeepAnnotations.annotationsOf(pod, cluster))
                .orElse(List.of());
        return disruptionAnnotations.isEmpty()
                ? requested
                : controlsOf(policy).overrides().lengthened(requested, disruptionAnnotations);
    }
}
