package dev.holdfast.operator.publish;

import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Summarizes in Kubernetes events the violations that began before the operator first saw them. Gathers these
 * violations briefly. Then makes one event per controller and rule, and one per policy and rule, instead of one per
 * pod. Not thread-safe.
 */
final class FoundAtStartSummary {
    private static final int NAMED_PODS = 3;

    private final Duration gathering;
    private final Map<Key, Group> groups = new LinkedHashMap<>();

    /** @param gathering how long violations are gathered for one event, from the first of them */
    FoundAtStartSummary(Duration gathering) {
        this.gathering = gathering;
    }

    private record Key(EventTarget target, PolicyId policy, String rule) {}

    private static final class Group {
        private final Instant since;
        private final ViolationReport first;
        private final List<String> pods = new ArrayList<>();
        private int count;

        Group(Instant since, ViolationReport first) {
            this.since = since;
            this.first = first;
        }

        void add(String pod) {
            count++;
            if (pods.size() < NAMED_PODS) {
                pods.add(pod);
            }
        }

        /** @param namespace the namespace whose readers see the event; absent for readers of cluster policies */
        String message(Optional<String> namespace, Instant now) {
            String words = new Wording(first, namespace, now).violated();
            if (count == 1) {
                return "Pod " + pods.getFirst() + ": " + words;
            }
            String more = count > pods.size() ? " and " + (count - pods.size()) + " more" : "";
            return "Pods " + String.join(", ", pods) + more + " violated the rule when first seen. " + pods.getFirst()
                    + ": " + words;
        }
    }

    void add(EventTarget target, ViolationReport violation, Instant now) {
        Key key = new Key(target, violation.policy(), violation.rule());
        groups.computeIfAbsent(key, _ -> new Group(now, violation))
                .add(violation.pod().toString());
    }

    /** Removes the groups of violations that have been gathered long enough, and returns one event for each group. */
    List<EventDraft> ripe(Instant now) {
        List<EventDraft> notes = new ArrayList<>();
        for (Iterator<Map.Entry<Key, Group>> left = groups.entrySet().iterator(); left.hasNext(); ) {
            Map.Entry<Key, Group> entry = left.next();
            Group group = entry.getValue();
            if (!now.isBefore(group.since.plus(gathering))) {
                Key key = entry.getKey();
                notes.add(new EventDraft(
                        key.target(),
                        EventReason.PLACEMENT_VIOLATED,
                        Optional.of(key.policy()),
                        key.rule(),
                        group.message(key.target().namespace(), now),
                        Optional.empty()));
                left.remove();
            }
        }
        return notes;
    }
}
