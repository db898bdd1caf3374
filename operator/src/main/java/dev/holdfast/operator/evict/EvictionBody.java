package dev.holdfast.operator.evict;

import dev.holdfast.policies.plan.move.EvictionRequest;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Preconditions;
import io.fabric8.kubernetes.api.model.PreconditionsBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Eviction object of a request: the pod, the preconditions, and annotations that give the reason in the API
 * server's audit log.
 */
final class EvictionBody {
    private static final String PREFIX = "holdfast.dev/";
    private static final int LONGEST = 1_000;

    private EvictionBody() {}

    static Eviction of(RequestMode requestMode, EvictionRequest request) {
        return new EvictionBuilder()
                .withNewMetadata()
                .withNamespace(request.pod().namespace())
                .withName(request.pod().name())
                .withAnnotations(annotations(request))
                .endMetadata()
                .withDeleteOptions(options(requestMode, request))
                .build();
    }

    private static DeleteOptions options(RequestMode requestMode, EvictionRequest request) {
        return new DeleteOptionsBuilder()
                .withPreconditions(preconditions(request))
                .withDryRun(
                        switch (requestMode) {
                            case DRY_RUN -> List.of("All");
                            case REAL -> List.of();
                        })
                .build();
    }

    private static Preconditions preconditions(EvictionRequest request) {
        PreconditionsBuilder preconditions = new PreconditionsBuilder().withUid(request.uid());
        request.resourceVersion().ifPresent(version -> preconditions.withResourceVersion(Long.toString(version)));
        return preconditions.build();
    }

    private static Map<String, String> annotations(EvictionRequest request) {
        Map<String, String> why = new TreeMap<>();
        why.put(PREFIX + "plan", request.planId());
        why.put(PREFIX + "policy", request.policy().toString());
        why.put(PREFIX + "rule", request.rule());
        why.put(PREFIX + "cause", bounded(request.cause()));
        why.put(PREFIX + "since", request.since().toString());
        return why;
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }
}
