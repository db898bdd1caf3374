package dev.holdfast.operator.enforce;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Checks the right to evict with a SelfSubjectAccessReview, which every authenticated user may create. */
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
