package dev.holdfast.operator.offline.dump.selectors;

import dev.holdfast.operator.decode.SelectorDecoder;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.score.WorkloadSelectors;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The selectors of the Services and controllers that were read. A Service without a selector selects no pod. */
public final class ReadSelectors implements WorkloadSelectors {
    /** The labels of Services, by namespace and then by name. */
    private final Map<String, Map<String, Labels>> services = new HashMap<>();

    /** By kind and name. */
    private final Map<String, LabelSelector> controllers = new HashMap<>();

    /** Adds the selector of an object of this kind, which replaces that of an object with the same name. */
    public void add(String kind, SelectorDecoder.Selection selection) {
        NamespacedName name = selection.name();
        selection.selector().ifPresent(selector -> {
            if (kind.equals("Service")) {
                services.computeIfAbsent(name.namespace(), _ -> new HashMap<>())
                        .put(name.name(), selector.matchLabels());
            } else {
                controllers.put(kind + "/" + name, selector);
            }
        });
    }

    /** Each cluster has a Service: that of its API server. */
    @Override
    public boolean areKnownFor(Pod pod) {
        return !services.isEmpty()
                && pod.victimProtection()
                        .controller()
                        .filter(it -> KINDS.contains(it.kind()))
                        .filter(it -> ofController(pod.namespace(), it).isEmpty())
                        .isEmpty();
    }

    @Override
    public Collection<Labels> ofServicesIn(String namespace) {
        return services.getOrDefault(namespace, Map.of()).values();
    }

    @Override
    public Optional<LabelSelector> ofController(String namespace, Controller controller) {
        return Optional.ofNullable(
                controllers.get(controller.kind() + "/" + new NamespacedName(namespace, controller.name())));
    }
}
