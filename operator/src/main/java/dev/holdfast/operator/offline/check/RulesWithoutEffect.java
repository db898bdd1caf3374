package dev.holdfast.operator.offline.check;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.policies.effect.NoEffect;
import dev.holdfast.policies.effect.RuleEffect;
import dev.holdfast.policies.effect.RuleFinding;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The rules of pods that can do nothing in a cluster as it is, each counted once for all pods of a workload. */
public final class RulesWithoutEffect {
    /** How many nodes, pods and sets of labels are examined: a few seconds. */
    private static final long MOST_EXAMINED = 5_000_000;

    private final CheckedCluster cluster;
    private final RuleEffect effect;
    private final Map<NoEffect.Kind, Map<OfWorkload, String>> found = new EnumMap<>(NoEffect.Kind.class);
    private final Set<OfWorkload> notExamined = new HashSet<>();

    /** A rule of the pods of a workload. */
    private record OfWorkload(String workload, RuleIdentity rule) implements Comparable<OfWorkload> {
        @Override
        public int compareTo(OfWorkload other) {
            int order = workload.compareTo(other.workload);
            return order != 0 ? order : rule.toString().compareTo(other.rule.toString());
        }
    }

    private RulesWithoutEffect(CheckedCluster cluster, long mostExamined) {
        this.cluster = cluster;
        this.effect = new RuleEffect(cluster.view(), _ -> Optional.empty(), mostExamined);
    }

    /**
     * {@return a sentence for each kind of cause, with the number of rules and an example, and one for the rules that
     * were not examined}
     *
     * @param listed which pods are listed
     */
    public static List<String> warnings(CheckedCluster cluster, Predicate<Pod> listed) {
        return warnings(cluster, listed, MOST_EXAMINED);
    }

    static List<String> warnings(CheckedCluster cluster, Predicate<Pod> listed, long mostExamined) {
        RulesWithoutEffect rules = new RulesWithoutEffect(cluster, mostExamined);
        cluster.pods().stream().filter(listed).filter(pod -> !pod.finished()).forEach(rules::add);
        List<String> warnings = new ArrayList<>();
        rules.found.forEach((kind, ofWorkloads) -> warnings.add(String.format(
                Locale.ROOT,
                "%,d %s %s%s: %s",
                ofWorkloads.size(),
                ofWorkloads.size() == 1 ? "rule" : "rules",
                kind.predicate(ofWorkloads.size()),
                ofWorkloads.size() == 1 ? "" : ", for example",
                ofWorkloads.values().iterator().next())));
        if (!rules.notExamined.isEmpty()) {
            warnings.add(Count.of(rules.notExamined.size(), "rule")
                    + (rules.notExamined.size() == 1 ? " was" : " were")
                    + " not examined for what can do nothing, because that takes too long; select fewer pods to examine"
                    + " their rules");
        }
        return warnings;
    }

    private void add(Pod pod) {
        for (AppliedRule applied : cluster.rulesOf(pod)) {
            switch (effect.of(applied.rule(), pod)) {
                case RuleFinding.Nothing(NoEffect none) -> add(pod, applied, none);
                case RuleFinding.NotExamined _ -> notExamined.add(new OfWorkload(workload(pod), applied.identity()));
                case RuleFinding.Something _ -> {}
            }
        }
    }

    private void add(Pod pod, AppliedRule applied, NoEffect none) {
        if (cluster.unknownAnywhere(pod, applied.rule()).isEmpty()) {
            found.computeIfAbsent(none.kind(), _ -> new TreeMap<>())
                    .putIfAbsent(
                            new OfWorkload(workload(pod), applied.identity()),
                            RuleReference.of(applied).name() + " of " + workload(pod) + " ("
                                    + applied.rule().describe() + "), because " + none.why());
        }
    }

    private static String workload(Pod pod) {
        return pod.victimProtection()
                .controller()
                .map(controller -> controller.kind() + " " + pod.namespace() + "/" + controller.name())
                .orElseGet(() -> "pod " + pod.name());
    }
}
