package dev.holdfast.policies.plan.domain;

import dev.holdfast.policies.model.Taint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The stored knowledge about nodes and domains that the cluster does not show, for the next process of the operator.
 *
 * @param changed since when nodes have had their present state
 * @param domains since when domains have been usable, as far as an earlier process has watched them
 * @param vanished the nodes that vanished a short time ago
 */
public record RememberedNodes(List<Changed> changed, List<Usable> domains, List<Vanished> vanished) {
    public RememberedNodes {
        changed = List.copyOf(changed);
        domains = List.copyOf(domains);
        vanished = List.copyOf(vanished);
    }

    /** {@return the same with times of domains that are later by a duration, so that they seem younger} */
    public RememberedNodes withDomainsLater(Duration by) {
        return new RememberedNodes(
                changed,
                domains.stream()
                        .map(one -> new Usable(
                                one.spread(), one.domain(), one.since().plus(by)))
                        .toList(),
                vanished);
    }

    /** {@return the same without the domains, which then seem younger than they are} */
    public RememberedNodes withoutDomains() {
        return new RememberedNodes(changed, List.of(), vanished);
    }

    /**
     * The changes of one node. A node that was made again under the same name has a later creation time, which counts.
     *
     * @param usableSince since when the node has been usable; absent if no earlier process saw it unusable
     * @param labels when each label key last got another value, appeared or disappeared
     * @param taints the taints that the node had before
     */
    public record Changed(
            String node, Optional<Instant> usableSince, Map<String, Instant> labels, List<RemovedTaint> taints) {
        public Changed {
            labels = Map.copyOf(labels);
            taints = List.copyOf(taints);
        }
    }

    /** A taint that a node had until an instant. */
    public record RemovedTaint(String key, String value, String effect, Instant at) {}

    /**
     * A domain that has had, without interruption, a usable node that is eligible for a spread.
     *
     * @param spread names the topologyKey and the eligible nodes of the spread
     */
    public record Usable(String spread, String domain, Instant since) {}

    /** A node that vanished, with the labels and taints by which rules count it. */
    public record Vanished(String node, Map<String, String> labels, List<Taint> taints, Instant at) {
        public Vanished {
            labels = Map.copyOf(labels);
            taints = List.copyOf(taints);
        }
    }
}
