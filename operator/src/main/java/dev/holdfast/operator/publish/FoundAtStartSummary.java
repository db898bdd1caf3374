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
 * Summarizes violations that existed when they were first seen. It gathers them briefly, so that each controller and
 * rule, and each policy and rule, gets one event instead of one per pod. Not thread-safe.
 */
final class FoundAtStartSummary {
    private static final int NAMED_PODS = 3;

    private final Duration gathering;
    private final Map<Key, Group> groups = new LinkedHashMap<>();

    /** @param gathering how long a group waits for more violations */
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

        String message(Instant now) {
            String words = new Wording(first, now).violated();
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

    /** {@return the groups that have gathered long enough; removes them} */
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
                        group.message(now),
                        Optional.empty()));
                left.remove();
            }
        }
        return notes;
    }
}
