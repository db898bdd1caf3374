package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.memory.LeakChecked;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.conduct.KeepAnnotations;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Notifies users, once for each violation, of annotations that are ignored because they are malformed. */
final class IgnoredAnnotations implements LeakChecked {
    private final ClusterView cluster;

    /** The problems that users know already, for each violation that has any. */
    private final Map<ViolationKey, Set<String>> known = new HashMap<>();

    IgnoredAnnotations(ClusterView cluster) {
        this.cluster = cluster;
    }

    /** Notifies users of malformed annotations of a pod, its owner and its namespace that they do not know yet. */
    void report(Pod pod, ViolationReport violation, List<Effect> effects) {
        Set<String> problems = malformed(pod);
        Set<String> before = problems.isEmpty() ? known.remove(violation.key()) : known.put(violation.key(), problems);
        for (String problem : problems) {
            if (before == null || !before.contains(problem)) {
                effects.add(new Effect.Notify(new Notification.AnnotationIgnored(violation, problem)));
            }
        }
    }

    private Set<String> malformed(Pod pod) {
        List<KeepAnnotations.Wish> wishes = KeepAnnotations.of(pod, cluster);
        if (wishes.isEmpty()) {
            return Set.of();
        }
        Set<String> problems = new LinkedHashSet<>();
        for (KeepAnnotations.Wish wish : wishes) {
            for (String problem : wish.disruptionAnnotations().malformed()) {
                problems.add(problem + ", on " + wish.whose());
            }
        }
        return problems;
    }

    @Override
    public void forget(ViolationKey key) {
        known.remove(key);
    }

    @Override
    public int size() {
        return known.size();
    }
}
