package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The API server credentials that Kubernetes mounts into a container, here under other paths than in a pod.
 *
 * @param port the port of the API server, on the loopback interface
 * @param token the file with the ServiceAccount's token
 * @param authority the file with the CA certificate of the API server, as PEM
 * @param home a home folder without a kubeconfig
 */
public record PodAccount(int port, Path token, Path authority, Path home) {
    /**
     * {@return JVM flags for a process that stands for the container} The Kubernetes client of the process reads the
     * token and the CA certificate from these paths instead of the default ones.
     */
    public List<String> flags() {
        return List.of("-Dkubernetes.auth.serviceAccount.token=" + token, "-Dkubernetes.certs.ca.file=" + authority);
    }

    /**
     * Sets the environment variables from which a container knows the API server's address. Removes {@code KUBECONFIG}
     * and sets {@code HOME}, so that the process finds no kubeconfig.
     */
    public void putInto(Map<String, String> environment) {
        environment.remove("KUBECONFIG");
        environment.put("HOME", home.toString());
        environment.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
        environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(port));
    }
}
