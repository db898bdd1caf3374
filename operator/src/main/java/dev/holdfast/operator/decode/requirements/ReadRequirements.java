package dev.holdfast.operator.decode.requirements;

import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.PartCount;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.PodRequirements;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The requirements of a pod, as far as Holdfast reads them. The requests of CPU, memory and ephemeral storage are
 * always read. Each of the others is read in full or not at all: host ports, extended resources, volume claims, and the
 * requests and limits of each container.
 *
 * @param tooMany what the pod has too much of; empty if all was read
 */
public record ReadRequirements(PodRequirements podRequirements, Optional<String> tooMany) {
    static final ReadRequirements NONE = new ReadRequirements(PodRequirements.none(), Optional.empty());

    /** The maximum number of host ports that Holdfast reads, and also of claims and of extended resources. */
    static final int MOST = 32;

    /** The maximum number of characters in the names of the claims, and in those of the extended resources. */
    static final int CHARACTERS = 2 << 10;

    /**
     * The maximum number of containers, requests and limits that are read one by one, and of characters in their names.
     * A pod with more is not too complex: only a LimitRange needs them.
     */
    static final int CONTAINER_PARTS = 128;

    static final int CONTAINER_CHARACTERS = 4 << 10;

    /** The longest name of a claim in Kubernetes. */
    private static final int LONGEST_NAME = 253;

    /**
     * {@return the requirements, without host ports and extended resources of which there are more than Holdfast reads}
     */
    static ReadRequirements of(PodRequirements all) {
        ReadRequirements read =
                new ReadRequirements(hasTooManyContainers(all) ? all.withUnreadContainers() : all, Optional.empty());
        List<HostPort> hostPorts = all.hostPorts();
        if (hostPorts.size() > MOST) {
            read = new ReadRequirements(
                    read.podRequirements.withUnreadHostPorts(),
                    Optional.of(LabelBlock.tooMany(hostPorts.size(), MOST, "host ports")));
        }
        Optional<String> resources = tooMany(all.requests().others().keySet(), "extended resources")
                .or(() -> tooMany(all.reserved().others().keySet(), "extended resources"));
        return resources.isEmpty()
                ? read
                : new ReadRequirements(read.podRequirements.withUnreadResources(), read.tooMany.or(() -> resources));
    }

    private static boolean hasTooManyContainers(PodRequirements all) {
        PartCount count = new PartCount();
        all.containers().forEach(container -> {
            count.add(container.name());
            count.add(container.requests().keySet());
            count.add(container.limits().keySet());
        });
        return count.exceeds(CONTAINER_PARTS, CONTAINER_CHARACTERS);
    }

    /** {@return a copy with these claims; with unread claims if they are more than Holdfast reads} */
    public ReadRequirements withClaims(List<String> given) {
        // A pod may mount one claim under many names, which costs nothing.
        List<String> names = given.stream().distinct().toList();
        Optional<String> claims = tooMany(names, "volume claims")
                .or(() -> names.stream()
                        .filter(name -> name.length() > LONGEST_NAME)
                        .map(name -> LabelBlock.tooMany(
                                name.length(), LONGEST_NAME, "characters in the name of a volume claim"))
                        .findFirst());
        return claims.isEmpty()
                ? new ReadRequirements(podRequirements.withClaims(names), tooMany)
                : new ReadRequirements(podRequirements.withUnreadClaims(), tooMany.or(() -> claims));
    }

    private static Optional<String> tooMany(Collection<String> names, String what) {
        if (names.size() > MOST) {
            return Optional.of(LabelBlock.tooMany(names.size(), MOST, what));
        }
        PartCount count = new PartCount();
        count.add(names);
        return count.exceeds(MOST, CHARACTERS)
                ? Optional.of(LabelBlock.tooMany(count.characters(), CHARACTERS, "characters in its " + what))
                : Optional.empty();
    }
}
