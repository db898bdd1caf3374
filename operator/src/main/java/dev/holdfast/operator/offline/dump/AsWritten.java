package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The objects of a dump that a command needs as they are written: workloads with the fields that the operator does not
 * read, such as an image, and the PriorityClasses and RuntimeClasses that new pods may name. Of a large dump, only the
 * workloads that the command names are kept.
 */
public final class AsWritten {
    /** A reader keeps nothing for this. */
    public static final AsWritten NONE = new AsWritten(Set.of(), false);

    private static final Set<String> KINDS = Set.of("Deployment", "StatefulSet");

    private final Set<String> wanted;
    private final boolean keepsClasses;
    private final Map<String, ObjectNode> found = new LinkedHashMap<>();
    private final Map<String, ObjectNode> classes = new LinkedHashMap<>();

    /** @param wanted the workloads to keep, as {@link #key} names them */
    public AsWritten(Set<String> wanted) {
        this(wanted, true);
    }

    private AsWritten(Set<String> wanted, boolean keepsClasses) {
        this.wanted = Set.copyOf(wanted);
        this.keepsClasses = keepsClasses;
    }

    /** {@return how a workload is named here: {@code Deployment/shop/web}} */
    public static String key(ObjectNode workload) {
        return workload.path("kind").asText() + "/"
                + workload.at("/metadata/namespace").asText("default") + "/"
                + workload.at("/metadata/name").asText();
    }

    /** {@return whether an object is a Deployment or StatefulSet} */
    public static boolean isWorkload(ObjectNode object) {
        return KINDS.contains(object.path("kind").asText());
    }

    /** {@return whether an object of this kind may be kept} */
    boolean mayKeep(String kind) {
        return !wanted.isEmpty() && KINDS.contains(kind);
    }

    /** Keeps a workload if it is wanted; the last one of a name counts. */
    void see(ObjectNode workload) {
        if (wanted.contains(key(workload))) {
            found.put(key(workload), workload);
        }
    }

    /** Keeps a PriorityClass or a RuntimeClass; the last one of a name counts. */
    void seeClass(ObjectNode ofPods) {
        if (keepsClasses) {
            classes.put(key(ofPods), ofPods);
        }
    }

    /** Forgets an object, which a watch then saw deleted. */
    void forget(String key) {
        found.remove(key);
        classes.remove(key);
    }

    /** {@return the workloads that were kept} */
    public List<ObjectNode> found() {
        return List.copyOf(found.values());
    }

    /** {@return the PriorityClasses and RuntimeClasses} */
    public List<ObjectNode> classes() {
        return List.copyOf(classes.values());
    }
}
