package dev.holdfast.it.controlplane;

import java.util.UUID;

/**
 * A user that the API server identifies by a static token: the admin, or a program that sends requests. Each such
 * program has its own user, so the audit log shows which program made a request.
 *
 * @param group the only group of the user; empty if the user is in no group
 */
record TokenUser(String name, String group, String token) {

    static final String ADMIN = "admin";

    private static final String ALL_RIGHTS = "system:masters";

    static TokenUser admin() {
        return new TokenUser(ADMIN, ALL_RIGHTS, newToken());
    }

    /**
     * {@return the user of the controller manager, the scheduler or kwok} Kubernetes has RBAC roles for the first two;
     * kwok gets all rights.
     */
    static TokenUser of(Program program) {
        return switch (program) {
            case KUBE_CONTROLLER_MANAGER, KUBE_SCHEDULER -> new TokenUser("system:" + program.label(), "", newToken());
            case KWOK -> new TokenUser(program.label(), ALL_RIGHTS, newToken());
            case KUBE_APISERVER, ETCD, KUBECTL -> throw new IllegalArgumentException(program + " has no user");
        };
    }

    /** {@return this user's line in the static token file of kube-apiserver} */
    String line() {
        String known = String.join(",", token, name, name);
        return group.isEmpty() ? known : known + ",\"" + group + "\"";
    }

    private static String newToken() {
        return UUID.randomUUID().toString();
    }
}
