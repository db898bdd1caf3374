package dev.holdfast.operator.loop;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** Checks the right to evict with a SelfSubjectAccessReview, which every authenticated user may create. */
public record EvictionAccessReview(KubernetesClient client) implements ModeCeiling.EvictionCheck {
    private static final String MISSING = "the right to create pods/eviction is missing: install the chart with"
            + " enforcement.enabled=true to grant it";

    @Override
    public Optional<String> refusal() {
        SelfSubjectAccessReview asked = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb("create")
                .withResource("pods")
                .withSubresource("eviction")
                .endResourceAttributes()
                .endSpec()
                .build();
        SelfSubjectAccessReview answered = client.resource(asked).create();
        boolean granted = answered.getStatus() != null
                && Boolean.TRUE.equals(answered.getStatus().getAllowed());
        return granted ? Optional.empty() : Optional.of(MISSING);
    }
}
