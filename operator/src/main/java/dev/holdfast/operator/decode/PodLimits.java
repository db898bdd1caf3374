package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Scheduling;
import java.util.Optional;

/**
 * How much of one pod Holdfast reads. The API server limits only the size of the whole pod, and within its 1.5 MiB a
 * tenant can write tens of thousands of anti-affinity terms. A pod over a limit takes no more memory and no more time than others: it
 * has no rules of its own, and it is never evicted. The limits are ten times what pods usually have.
 */
final class PodLimits {
    /** The number of labels; see {@link LabelBlock}. */
    static final int LABELS = 128;

    /** The number of affinity terms, anti-affinity terms and spread constraints. */
    private static final int RULES = 32;

    /** The number of terms, expressions, values, namespaces and tolerations; see {@link PartCount}. */
    private static final int PARTS = 256;

    /** The number of characters in all of these. */
    private static final int CHARACTERS = 8 << 10;

    /** The number of host ports, volume claims and resources. */
    private static final int REQUIREMENTS = 256;

    private PodLimits() {}

    /** {@return these constraints; constraints that are too complex if there are more than Holdfast reads} */
    static Scheduling limited(Scheduling read) {
        int rules = read.podAffinity().size()
                + read.podAntiAffinity().size()
                + read.topologySpread().size();
        if (rules > RULES) {
            return tooMany(rules, RULES, "required pod (anti-)affinity terms and spread constraints");
        }
        PartCount count = new PartCount();
        count.add(read.nodeSelector());
        read.nodeAffinity().ifPresent(it -> it.terms().forEach(count::add));
        read.podAffinity().forEach(count::add);
        read.podAntiAffinity().forEach(count::add);
        read.topologySpread().forEach(count::add);
        read.tolerations().forEach(count::add);
        if (count.parts() > PARTS) {
            return tooMany(count.parts(), PARTS, "terms, expressions, values and tolerations");
        }
        return count.exceeds(PARTS, CHARACTERS)
                ? tooMany(count.characters(), CHARACTERS, "characters in its required rules and tolerations")
                : read;
    }

    /** {@return why a pod with these labels and requirements is too complex; empty if it is not} */
    static Optional<Scheduling> exceeded(LabelBlock labels, PodRequirements requirements) {
        if (labels.tooMany().isPresent()) {
            return labels.tooMany().map(Scheduling::tooComplex);
        }
        int parts = requirements.hostPorts().size()
                + requirements.claims().size()
                + requirements.requests().others().size();
        return parts > REQUIREMENTS
                ? Optional.of(tooMany(parts, REQUIREMENTS, "host ports, volume claims and extended resources"))
                : Optional.empty();
    }

    private static Scheduling tooMany(int count, int most, String what) {
        return Scheduling.tooComplex(LabelBlock.tooMany(count, most, what));
    }
}
