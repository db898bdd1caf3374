package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.change.Change;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.index.count.Docket;
import dev.holdfast.policies.index.count.DomainSet;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies changes of pods, nodes, namespaces and policies to the counts, and reports each verdict that changed. A change
 * costs what it touches: pods leave their counts and groups, the change is taken in, and they are counted and seated again.
 */
public final class IndexUpdater {
    private final Roster roster;
    private final Matching matching;
    private final Asking asking;
    private final Repellers repellers;
    private final Docket docket;
    private final Seating seating;
    private final VerdictListener listener;

    public IndexUpdater(
            Roster roster,
            Matching matching,
            Asking asking,
            Repellers repellers,
            Docket docket,
            VerdictListener listener) {
        this.roster = roster;
        this.matching = matching;
        this.asking = asking;
        this.repellers = repellers;
        this.docket = docket;
        this.seating = new Seating(listener);
        this.listener = listener;
    }

    /** Takes a fact. Facts that no verdict depends on are left alone. */
    public void apply(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.PodChanged(Pod pod) -> podChanged(pod);
            case ClusterEvent.PodGone(String uid) -> roster.entry(uid).ifPresent(this::podGone);
            case ClusterEvent.NodeChanged(Node node) -> nodeChanged(node.name(), Optional.of(node));
            case ClusterEvent.NodeGone(String name) -> nodeChanged(name, Optional.empty());
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                namespaceChanged(namespace.name(), Optional.of(namespace));
            case ClusterEvent.NamespaceGone(String name) -> namespaceChanged(name, Optional.empty());
            case ClusterEvent.OwnerChanged _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.BudgetChanged _,
                    ClusterEvent.BudgetGone _ -> {
                // No verdict depends on them.
            }
        }
    }

    private void podChanged(Pod pod) {
        Optional<PodEntry> known = roster.entry(pod.uid());
        if (known.isEmpty()) {
            podCame(pod);
        } else if (pod.differsOnlyInStatusFrom(known.get().pod)) {
            known.get().pod = KeptPod.shared(pod, known.get(), true);
        } else {
            podBecame(known.get(), pod);
        }
    }

    private void podCame(Pod pod) {
        Variant variant = variant(pod);
        PodEntry entry = new PodEntry(KeptPod.named(pod, variant), variant);
        roster.add(entry);
        variant.pods.add(entry);
        joinNode(entry);
        entry.profile = asking.acquire(entry);
        entry.pod = KeptPod.shared(pod, entry, false);
        repellers.came(entry);
        count(entry);
        Change change = new Change.OfPod(Optional.empty(), Optional.of(pod));
        docket.settle(listener, change);
        seating.seatNew(entry, change);
    }

    private void podBecame(PodEntry entry, Pod after) {
        Pod before = entry.pod;
        Variant oldVariant = entry.variant;
        Profile oldProfile = entry.profile;
        boolean stays = entry.counted && countsAlike(before, after) && oldVariant.hasFewMatches();
        if (!stays) {
            uncount(entry);
            leaveNode(entry);
        }
        oldVariant.pods.remove(entry.placeInVariant);
        entry.pod = after;
        entry.variant = variant(after);
        entry.variant.pods.add(entry);
        if (stays) {
            Matching.recount(entry, oldVariant);
        } else {
            joinNode(entry);
        }
        Profile profile = asking.acquire(entry);
        boolean keepsSeats = stays && entry.keepsSeats(oldVariant, profile);
        Optional<Seating.Risen> risen = keepsSeats ? Optional.empty() : Optional.of(seating.rise(entry));
        entry.profile = profile;
        entry.pod = KeptPod.shared(after, entry, false);
        repellers.became(entry, before);
        if (!stays) {
            count(entry);
        }
        Change change = new Change.OfPod(Optional.of(before), Optional.of(after));
        docket.settle(listener, change);
        risen.ifPresent(it -> seating.seat(entry, it, change));
        asking.release(oldVariant, oldProfile);
        matching.dropIfUnused(oldVariant);
    }

    /** {@return whether a pod counts for each rule that goes on to match it as it did before} */
    private static boolean countsAlike(Pod before, Pod after) {
        return after.counts()
                && before.nodeName().equals(after.nodeName())
                && before.terminating() == after.terminating();
    }

    private void podGone(PodEntry entry) {
        uncount(entry);
        Seating.Risen risen = seating.rise(entry);
        leaveNode(entry);
        entry.variant.pods.remove(entry.placeInVariant);
        repellers.left(entry);
        roster.remove(entry);
        Change change = new Change.OfPod(Optional.of(entry.pod), Optional.empty());
        docket.settle(listener, change);
        seating.gone(entry, risen, change);
        asking.release(entry.variant, entry.profile);
        matching.dropIfUnused(entry.variant);
    }

    /** {@return the variant of the pod's labels, with the policies that select it} */
    private Variant variant(Pod pod) {
        Variant variant = matching.variant(roster.namespaceEntry(pod.namespace()), pod.labels());
        if (variant.pods.isEmpty()) {
            variant.select(asking.selecting(variant));
        }
        return variant;
    }

    private void joinNode(PodEntry entry) {
        if (entry.pod.nodeName().isPresent()) {
            entry.node = roster.nodeEntry(entry.pod.nodeName().get());
            entry.node.pods.add(entry);
        }
    }

    private void leaveNode(PodEntry entry) {
        NodeEntry node = entry.node;
        if (node != null) {
            node.pods.remove(entry.placeOnNode);
            roster.dropIfUnused(entry.pod.nodeName().orElse(""), node);
            entry.node = null;
        }
    }

    private static void count(PodEntry entry) {
        entry.countsOn().ifPresent(node -> Matching.count(entry, node));
    }

    private static void uncount(PodEntry entry) {
        if (entry.counted) {
            entry.countsOn().ifPresent(node -> Matching.uncount(entry, node));
        }
    }

    private void nodeChanged(String name, Optional<Node> after) {
        Optional<Node> before = roster.node(name);
        if (alike(before, after)) {
            after.ifPresent(_ -> roster.is(name, after));
            return;
        }
        List<PodEntry> pods = new ArrayList<>();
        roster.nodeEntry(name).pods.forEach(pods::add);
        revise(pods, new Change.OfNode(name, before, after), () -> {
            pods.forEach(IndexUpdater::uncount);
            for (DomainSet domains : matching.domainSets()) {
                before.ifPresent(domains::left);
                after.ifPresent(domains::came);
            }
            roster.is(name, after);
            pods.forEach(IndexUpdater::count);
        });
    }

    private static boolean alike(Optional<Node> before, Optional<Node> after) {
        if (before.isEmpty() || after.isEmpty()) {
            return before.isEmpty() && after.isEmpty();
        }
        return before.get().labels().equals(after.get().labels())
                && before.get().taints().equals(after.get().taints());
    }

    private void namespaceChanged(String name, Optional<Namespace> after) {
        NamespaceEntry namespace = roster.namespaceEntry(name);
        Optional<Namespace> before = namespace.namespace();
        Optional<Labels> labels = namespace.labels();
        namespace.is(after);
        if (!labels.equals(namespace.labels()) && !namespace.variants().isEmpty()) {
            Change change = new Change.OfNamespace(name, before, after);
            List<LiveRule> turning = matching.turning(namespace, labels);
            List<PodEntry> reselected = reselect(namespace);
            if (turning.isEmpty()) {
                reask(reselected, change);
            } else {
                List<PodEntry> pods = new ArrayList<>();
                for (Variant variant : namespace.variants()) {
                    variant.pods.forEach(pods::add);
                }
                revise(pods, change, () -> matching.turn(turning, namespace));
            }
        }
        roster.dropIfUnused(namespace);
    }

    /** Takes a new or edited policy. */
    public void put(Policy policy) {
        asking.put(policy);
        reselect(policy.id());
    }

    /** Takes a policy away. */
    public void remove(PolicyId policy) {
        asking.remove(policy);
        reselect(policy);
    }

    /** Renews what is asked of all whom a policy has come to select, selects in another edition, or no longer selects. */
    private void reselect(PolicyId policy) {
        List<PodEntry> pods = new ArrayList<>();
        Reselection reselection = new Reselection(policy, asking.policy(policy));
        for (NamespaceEntry namespace : roster.namespaceEntriesOf(policy)) {
            for (Variant variant : namespace.variants()) {
                Optional<List<Policy>> other = reselection.of(variant);
                if (other.isPresent()) {
                    variant.select(other.get());
                    variant.pods.forEach(pods::add);
                }
            }
        }
        reask(pods, new Change.OfPolicy(policy));
    }

    /** {@return the pods of a namespace that other policies select now} */
    private List<PodEntry> reselect(NamespaceEntry namespace) {
        List<PodEntry> pods = new ArrayList<>();
        for (Variant variant : namespace.variants()) {
            List<Policy> selecting = asking.selecting(variant);
            if (!selecting.equals(variant.policies())) {
                variant.select(selecting);
                variant.pods.forEach(pods::add);
            }
        }
        return pods;
    }

    /** Renews what is asked of pods where no count has changed: they keep their seats for the rules that they still have. */
    private void reask(List<PodEntry> pods, Change change) {
        Profile[] after = new Profile[pods.size()];
        for (int i = 0; i < after.length; i++) {
            PodEntry pod = pods.get(i);
            after[i] = i == 0 ? asking.acquire(pod) : asking.acquireLike(pods.get(i - 1), after[i - 1], pod);
        }
        docket.settle(listener, change);
        ProfileChange to = new ProfileChange(Profile.NONE, Profile.NONE);
        for (int i = 0; i < after.length; i++) {
            PodEntry pod = pods.get(i);
            if (!to.isBetween(pod.profile, after[i])) {
                to = new ProfileChange(pod.profile, after[i]);
            }
            seating.reseat(pod, to, change);
            asking.release(pod.variant, to.before());
        }
    }

    /** Makes a change that concerns many pods: what is asked for them, and with whom they share verdicts, is renewed. */
    private void revise(List<PodEntry> pods, Change change, Runnable update) {
        Seating.Risen[] risen = new Seating.Risen[pods.size()];
        for (int i = 0; i < risen.length; i++) {
            risen[i] = seating.rise(pods.get(i));
        }
        update.run();
        for (PodEntry pod : pods) {
            pod.profile = asking.acquire(pod);
        }
        docket.settle(listener, change);
        for (int i = 0; i < risen.length; i++) {
            seating.seat(pods.get(i), risen[i], change);
            asking.release(pods.get(i).variant, risen[i].profile());
        }
    }
}
