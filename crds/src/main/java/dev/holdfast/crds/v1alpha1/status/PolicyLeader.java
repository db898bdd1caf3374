package dev.holdfast.crds.v1alpha1.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The replica of the operator that leads, as the Lease names it. Only this replica writes the status and evicts.
 *
 * @param identity the holder of the Lease
 * @param acquireTime when the replica acquired the Lease, in whole seconds
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PolicyLeader(
        @Required
        @JsonPropertyDescription("Holder of the Lease. Example: holdfast-6c9f7d5b4-x2x7q_0b1f.")
        @Size(max = PolicyLeader.MAX_IDENTITY)
        String identity,

        @Required @JsonPropertyDescription("When this replica acquired the Lease. Example: 2026-11-20T15:42:10Z.")
        Instant acquireTime) {
    /** Maximum length of an identity; a longer one is cut off. */
    public static final int MAX_IDENTITY = 253;

    /** {@return the leader with this identity, and since when it leads} */
    public static PolicyLeader of(String identity, Instant since) {
        return new PolicyLeader(
                identity.length() > MAX_IDENTITY ? identity.substring(0, MAX_IDENTITY) : identity,
                since.truncatedTo(ChronoUnit.SECONDS));
    }
}
