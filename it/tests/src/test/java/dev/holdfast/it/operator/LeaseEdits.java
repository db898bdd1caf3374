package dev.holdfast.it.operator;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/** The operator's Lease, as a user edits it by hand, whoever renewed it last. */
record LeaseEdits(KubernetesClient client, InstantSource clock) {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    LeaseSpec spec() {
        return client.leases()
                .inNamespace("kube-system")
                .withName("holdfast")
                .require()
                .getSpec();
    }

    /** Sets fields of the spec, which are written as JSON. */
    private void edit(String fields) {
        client.leases().inNamespace("kube-system").withName("holdfast").patch(MERGE, "{\"spec\":{" + fields + "}}");
    }

    void setDuration(Duration duration) {
        edit("\"leaseDurationSeconds\":" + duration.toSeconds());
    }

    /** Edits everything but the holder: the lease was renewed tomorrow, and no other replica had ever held it. */
    void keepHolder(Duration duration) {
        edit(nonsense(duration));
    }

    /** As {@link #keepHolder}, and makes a replica the holder that does not exist. */
    void giveToGhost(Duration duration) {
        edit("\"holderIdentity\":\"ghost\"," + nonsense(duration));
    }

    private String nonsense(Duration duration) {
        return "\"leaseDurationSeconds\":" + duration.toSeconds() + ",\"leaseTransitions\":0,\"renewTime\":\""
                + tomorrow() + "\"";
    }

    /** Leaves the lease without a holder, as a replica does that ends. */
    void release() {
        edit("\"holderIdentity\":\"\"");
    }

    private ZonedDateTime tomorrow() {
        // A Lease has microseconds, and needs six digits of them.
        return clock.instant()
                .truncatedTo(ChronoUnit.SECONDS)
                .plusNanos(123_456_000)
                .atZone(ZoneOffset.UTC)
                .plusDays(1);
    }
}
