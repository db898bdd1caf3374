package dev.holdfast.operator.offline.dump;

import java.util.Set;

/**
 * The last object that was read from YAML, which can be parsed even if it is truncated, unlike JSON.
 *
 * @param shown the object's kind and name
 * @param ofServer whether the object has a resource version, which only an API server gives
 */
record LastObject(String kind, String shown, boolean ofServer, boolean hasSpec, boolean hasStatus) {
    /**
     * The kinds whose objects all have a status, which kubectl writes last. So a missing status shows that YAML was
     * cut.
     */
    private static final Set<String> WITH_STATUS = Set.of("Pod", "Node");

    boolean mayBeCut() {
        return WITH_STATUS.contains(kind) && (ofServer ? !hasStatus : kind.equals("Pod") && !hasSpec);
    }
}
