package dev.holdfast.operator.decode.meta;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The requests and limits that the VerticalPodAutoscaler set when a pod was created, as the annotation {@code
 * vpaUpdates} says. The annotation counts the containers that {@code vpaObservedContainers} names.
 *
 * <p>Example: {@code Pod resources updated by web: container 0: cpu request, cpu limit}, where the first container is
 * app.
 *
 * @see <a href="https://github.com/kubernetes/autoscaler/tree/master/vertical-pod-autoscaler">getContainerPatch</a>
 */
public final class AutoscalerUpdates {
    /** The annotation in which an autoscaler says what was set in a new pod. */
    static final String UPDATES = "vpaUpdates";

    /** The annotation with the names of the containers of a new pod. */
    static final String OBSERVED = "vpaObservedContainers";

    /** The annotation of a pod that was resized in place, which does not say how. */
    static final String RESIZED = "vpaInPlaceUpdated";

    /** The maximum number of bytes of each annotation that are read. */
    public static final int MOST_BYTES = 2 << 10;

    /** The amounts that the autoscaler can set in a container. Other texts are not kept: a user can write any. */
    private static final List<String> AMOUNTS = List.of("cpu request", "memory request", "cpu limit", "memory limit");

    private static final String FIRST = ": container ";
    private static final Pattern CONTAINER = Pattern.compile("container (\\d{1,4}): ?(.*)");

    private AutoscalerUpdates() {}

    /**
     * {@return what the autoscaler sets in a new pod, as {@code cpu request}, by the name of the container; empty if
     * the annotations do not say it}
     *
     * @param annotations the annotations of the autoscaler, by their keys
     * @param containers the names of the containers, in the order of the spec
     */
    public static Optional<Map<String, Set<String>>> of(Map<String, String> annotations, List<String> containers) {
        Optional<List<String>> observed =
                Optional.ofNullable(annotations.get(OBSERVED)).map(it -> List.of(it.split(", ")));
        if (annotations.containsKey(RESIZED)) {
            return Optional.empty();
        }
        return Optional.ofNullable(annotations.get(UPDATES))
                .map(updates -> parse(updates, observed.orElse(containers)))
                .orElseGet(() -> observed.map(_ -> Map.of()));
    }

    private static Optional<Map<String, Set<String>>> parse(String updates, List<String> containers) {
        int first = updates.indexOf(FIRST);
        if (first < 0) {
            return Optional.empty();
        }
        Map<String, Set<String>> set = new HashMap<>();
        for (String update : updates.substring(first + 2).split("; ")) {
            Matcher container = CONTAINER.matcher(update);
            int number = container.matches() ? Integer.parseInt(container.group(1)) : containers.size();
            if (number >= containers.size() || set.containsKey(containers.get(number))) {
                return Optional.empty();
            }
            List<String> updated = List.of(container.group(2).split(", "));
            set.put(
                    containers.get(number),
                    AMOUNTS.stream().filter(updated::contains).collect(Collectors.toUnmodifiableSet()));
        }
        return Optional.of(set);
    }
}
