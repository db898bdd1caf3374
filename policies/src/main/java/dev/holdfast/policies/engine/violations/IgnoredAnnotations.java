package dev.holdfast.policies.engine.violations;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.state.ViolationMemory;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.controls.KeepAnnotations;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Notifies users of annotations that are ignored because they are malformed: once for each violation and annotation.
 */
public final class IgnoredAnnotations implements ViolationMemory {
    private final ClusterView cluster;

    /**
     * For each violation, the malformed annotations that were already reported. A violation has no entry if no
     * annotation of its pod, owner or namespace is malformed.
     */
    private final Map<ViolationKey, Set<String>> known = new HashMap<>();

    public IgnoredAnnotations(ClusterView cluster) {
        this.cluster = cluster;
    }

    /**
     * Notifies users of malformed annotations of a pod, its owner and its namespace, except those already reported for
     * this violation.
     *
     * @param report describes the violation; called only if there is something to report
     */
    void report(Pod pod, ViolationKey violation, Supplier<ViolationReport> report, List<Effect> effects) {
        Set<String> problems = malformed(pod);
        Set<String> before = problems.isEmpty() ? known.remove(violation) : known.put(violation, problems);
        for (String problem : problems) {
            if (before == null || !before.contains(problem)) {
                effects.add(new Effect.Notify(new Notification.AnnotationIgnored(report.get(), problem)));
            }
        }
    }

    private Set<String> malformed(Pod pod) {
        List<KeepAnnotations.AnnotatedObject> wishes = KeepAnnotations.of(pod, cluster);
        if (wishes.isEmpty()) {
            return Set.of();
        }
        Set<String> problems = new LinkedHashSet<>();
        for (KeepAnnotations.AnnotatedObject annotatedObject : wishes) {
            for (String problem : annotatedObject.disruptionAnnotations().malformed()) {
                problems.add(problem + ", on " + annotatedObject.whose());
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
