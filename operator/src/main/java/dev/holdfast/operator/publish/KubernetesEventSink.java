package dev.holdfast.operator.publish;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events of the core/v1 API. The sink needs the rights to create and patch events, but no right to read them. So
 * the sink remembers the count of each event that it wrote. The count of an event that an earlier process wrote comes
 * from the response to a patch.
 */
final class KubernetesEventSink implements EventSink {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesEventSink.class);

    private static final String COMPONENT = "holdfast";
    private static final String PLAN = "holdfast.dev/plan";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    private final KubernetesClient client;

    /**
     * The count of each event that this process wrote. An entry expires 50 minutes after the last write. By default,
     * the API server deletes an event after an hour.
     */
    private final Cache<String, Integer> counts;

    KubernetesEventSink(KubernetesClient client, InstantSource clock) {
        this.client = client;
        Instant start = clock.instant();
        counts = Caffeine.newBuilder()
                .maximumSize(5_000)
                .expireAfterWrite(Duration.ofMinutes(50))
                .ticker(() -> Duration.between(start, clock.instant()).toNanos())
                .executor(Runnable::run)
                .build();
    }

    @Override
    public boolean write(EventDraft note, Instant at) {
        String time = at.truncatedTo(ChronoUnit.SECONDS).toString();
        String key = note.target().eventNamespace() + "/" + note.name();
        try {
            Integer known = counts.getIfPresent(key);
            counts.put(key, known == null ? create(note, time) : countUp(note, time, known));
            return true;
        } catch (KubernetesClientException e) {
            LOG.atDebug()
                    .addKeyValue("reason", note.reason().label())
                    .addKeyValue("policy", note.policy().map(PolicyId::toString).orElse(""))
                    .setCause(e)
                    .log("Failed to write a Kubernetes event");
            return false;
        }
    }

    private int create(EventDraft note, String time) {
        try {
            client.v1()
                    .events()
                    .inNamespace(note.target().eventNamespace())
                    .resource(event(note, time))
                    .create();
            return 1;
        } catch (KubernetesClientException e) {
            if (e.getCode() != CONFLICT) {
                throw e;
            }
            return countUpUnknown(note, time);
        }
    }

    private int countUp(EventDraft note, String time, int known) {
        try {
            patch(note, time, Map.of("count", known + 1));
            return known + 1;
        } catch (KubernetesClientException e) {
            if (e.getCode() != NOT_FOUND) {
                throw e;
            }
            return create(note, time);
        }
    }

    /**
     * Increases the count of an event that an earlier process wrote, and returns the new count. A first patch leaves
     * the count as it is, and its response contains the count. A second patch increases it.
     */
    private int countUpUnknown(EventDraft note, String time) {
        Integer known = patch(note, time, Map.of()).getCount();
        int next = Objects.requireNonNullElse(known, 1) + 1;
        patch(note, time, Map.of("count", next));
        return next;
    }

    private Event patch(EventDraft note, String time, Map<String, Integer> count) {
        Map<String, Object> body = new HashMap<>(count);
        body.put("lastTimestamp", time);
        body.put("message", note.message());
        note.plan().ifPresent(plan -> body.put("metadata", Map.of("annotations", Map.of(PLAN, plan))));
        // With only a name, the client would read the event first.
        return client.v1()
                .events()
                .inNamespace(note.target().eventNamespace())
                .resource(named(note).build())
                .patch(MERGE, client.getKubernetesSerialization().asJson(body));
    }

    private static EventBuilder named(EventDraft note) {
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(note.target().eventNamespace())
                .withName(note.name())
                .endMetadata();
    }

    private static Event event(EventDraft note, String time) {
        EventTarget target = note.target();
        EventBuilder event = named(note)
                .withNewInvolvedObject()
                .withApiVersion(target.apiVersion())
                .withKind(target.kind())
                .withNamespace(target.namespace().orElse(null))
                .withName(target.name())
                .withUid(target.uid())
                .endInvolvedObject()
                .withReason(note.reason().label())
                .withMessage(note.message())
                .withType(note.reason().type())
                .withCount(1)
                .withFirstTimestamp(time)
                .withLastTimestamp(time)
                .withReportingComponent(COMPONENT)
                .withNewSource()
                .withComponent(COMPONENT)
                .endSource();
        note.plan()
                .ifPresent(plan ->
                        event.editMetadata().addToAnnotations(PLAN, plan).endMetadata());
        return event.build();
    }
}
