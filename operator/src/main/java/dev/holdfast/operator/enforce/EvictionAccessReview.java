package dev.holdfast.operator.enforce;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The right to evict as the API server sees it; every authenticated user may ask. */
public record EvictionAccessReview(KubernetesClient client) implements ModeCeiling.EvictionRight {
    @Override
    public boolean held() {
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
        return answered.getStatus() != null
                && Boolean.TRUE.equals(answered.getStatus().getAllowed());
    }
}
