package dev.holdfast.operator.cli;

import dev.holdfast.operator.check.CheckedCluster;
import dev.holdfast.operator.check.SelectorText;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which pods a command lists. */
final class PodSelection {
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

    /** {@return which pods are listed} */
    Predicate<Pod> listed() {
        if (namespace != null && allNamespaces) {
            throw new ParameterException(spec.commandLine(), "give either --namespace or --all-namespaces");
        }
        LabelMatcher labels = switch (SelectorText.parse(selector)) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher>(String why) ->
                throw new ParameterException(spec.commandLine(), "--selector: " + why);
        };
        return pod -> (namespace == null || pod.namespace().equals(namespace)) && labels.matches(pod.labels());
    }

    /** {@return a warning if the namespace has no pod, which is probably a mistake} */
    Optional<String> warning(CheckedCluster cluster) {
        return Optional.ofNullable(namespace)
                .filter(name -> !cluster.hasPodsIn(name))
                .map(name -> "warning: the input has no pod in namespace " + name);
    }
}
