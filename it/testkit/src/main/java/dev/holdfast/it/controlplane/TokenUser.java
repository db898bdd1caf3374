package dev.holdfast.it.controlplane;

import java.util.UUID;

/**
 * One whom the API server knows by a static token. Each program has its own, so that the audit trail tells them apart.
 *
 * @param group the one group of the user, or empty for none
 */
record TokenUser(String name, String group, String token) {

    static final String ADMIN = "admin";

    private static final String ALL_RIGHTS = "system:masters";

    static TokenUser admin() {
        return new TokenUser(ADMIN, ALL_RIGHTS, newToken());
    }

    /** {@return the user of a program} Kubernetes brings RBAC roles for its own; kwok gets all rights. */
    static TokenUser of(Program program) {
        return switch (program) {
            case KUBE_CONTROLLER_MANAGER, KUBE_SCHEDULER -> new TokenUser("system:" + program.label(), "", newToken());
            case KWOK -> new TokenUser(program.label(), ALL_RIGHTS, newToken());
            case KUBE_APISERVER, ETCD, KUBECTL -> throw new IllegalArgumentException(program + " has no user");
        };
    }

    /** {@return this user's line of a token file} */
    String line() {
        String known = String.join(",", token, name, name);
        return group.isEmpty() ? known : known + ",\"" + group + "\"";
    }

    private static String newToken() {
        return UUID.randomUUID().toString();
    }
}
