package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.check.CheckedCluster;
import dev.holdfast.operator.offline.check.ListedNamespace;
import dev.holdfast.operator.offline.check.RulesWithoutEffect;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.SelectorText;
import dev.holdfast.operator.offline.stranded.StrandedByRollOut;
import dev.holdfast.operator.offline.stranded.StrandedWorkload;
import dev.holdfast.policies.inject.InjectingPolicies;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which pods a command lists, and which rules they are held to. */
public final class PodSelection {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "List the pods of this namespace only. All pods are read, as rules depend on them.")
    private @Nullable String namespace;

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "List the pods of all namespaces. This is the default.")
    private boolean allNamespaces;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "List the pods with these labels only, as for kubectl: app=web,tier!=test,zone in (a,b).")
    private String selector = "";

    @Option(
            names = "--own-rules",
            description = "Hold pods that no policy selects to the rules of their own spec, as without policies.")
    private boolean ownRules;

    /** {@return which pods are listed} */
    public Predicate<Pod> listed() {
        if (namespace != null && allNamespaces) {
            throw new ParameterException(spec.commandLine(), "give either --namespace or --all-namespaces");
        }
        if (namespace != null && namespace.isBlank()) {
            throw new ParameterException(
                    spec.commandLine(), "--namespace must name a namespace, and is empty: leave it out for all");
        }
        LabelMatcher labels = switch (SelectorText.parse(selector)) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) ->
                throw new ParameterException(spec.commandLine(), "--selector: " + why);
        };
        return pod -> (namespace == null || pod.namespace().equals(namespace)) && labels.matches(pod.labels());
    }

    /**
     * {@return the cluster, indexed for verdicts on its pods} With {@code --own-rules}, pods that no policy selects get
     * verdicts on the rules of their own spec.
     */
    public CheckedCluster checked(ReadCluster cluster, OperatorConfig config) {
        return ownRules
                ? CheckedCluster.withOwnRules(cluster, config.exemptNamespaces())
                : CheckedCluster.of(cluster, config.exemptNamespaces());
    }

    /** {@return whether pods that no policy selects are held to the rules of their own spec} */
    public boolean ownRules() {
        return ownRules;
    }

    /** {@return the workloads of listed pods that a roll-out would strand, if policies inject rules} */
    public List<StrandedWorkload> stranded(ReadCluster cluster, OperatorConfig config, Predicate<Pod> listed) {
        InjectingPolicies injecting =
                InjectingPolicies.of(cluster.rules(), config.engineSettings().untouchedNamespaces());
        return injecting.isEmpty()
                ? List.of()
                : StrandedByRollOut.in(cluster.dump().objects(), cluster.dump().volumes()::volumeOf)
                        .strandedBy(injecting, listed);
    }

    /**
     * Requires that the input has objects of the namespace and pods with the labels.
     *
     * @throws DumpException if it has none: the answer would look like that of a cluster without violations
     */
    public void require(ReadCluster cluster, Predicate<Pod> listed) throws DumpException {
        if (namespace != null) {
            ListedNamespace.require(namespace, cluster.dump());
        }
        if (!selector.isEmpty()
                && cluster.dump().objects().stream()
                        .noneMatch(it -> it instanceof ClusterEvent.PodChanged(Pod pod) && listed.test(pod))) {
            throw new DumpException("no pod has the labels of --selector " + selector
                    + (namespace == null ? "" : " in namespace " + namespace));
        }
    }

    /** {@return what is probably a mistake, as sentences} */
    public List<String> warnings(CheckedCluster cluster, CheckReport report, Predicate<Pod> listed) {
        List<String> warnings = new ArrayList<>();
        cluster.idlePolicies().forEach(policy -> warnings.add("policy " + policy + " selects no pod"));
        if (namespace != null && !cluster.hasPodsIn(namespace)) {
            warnings.add("the input has no pod in namespace " + namespace);
        }
        if (!selector.isEmpty() && cluster.runningPods().stream().noneMatch(listed)) {
            warnings.add("no running pod has the labels of --selector " + selector
                    + (namespace == null ? "" : " in namespace " + namespace));
        }
        int unchecked = report.summary().uncheckedPods();
        if (unchecked > 0) {
            long running = cluster.runningPods().stream().filter(listed).count();
            warnings.add(String.format(Locale.ROOT, "%,d of %s", unchecked, Count.of(running, "running pod"))
                    + (unchecked == 1 ? " is" : " are")
                    + " selected by no policy and held to no rule: add --own-rules to check "
                    + (unchecked == 1 ? "it" : "them") + " too");
        }
        long unread = report.pending().isEmpty() ? 0 : cluster.podsWithUnreadClaims(listed);
        if (unread > 0) {
            warnings.add("the volumes of " + Count.of(unread, "pod")
                    + " without a node do not count: add `pvc,pv,storageclasses` to kubectl get");
        }
        warnings.addAll(RulesWithoutEffect.warnings(cluster, listed));
        return warnings;
    }
}
