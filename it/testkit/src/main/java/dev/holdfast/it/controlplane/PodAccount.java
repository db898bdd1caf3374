package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What Kubernetes gives a container to speak to the API server with: here in files of other names than in a pod.
 *
 * @param port of the API server, on the loopback
 * @param token file with the ServiceAccount's token
 * @param authority PEM file, what the server's certificate is checked against
 * @param home a folder with no kubeconfig in it
 */
public record PodAccount(int port, Path token, Path authority, Path home) {
    /** {@return properties for the JVM that stand for the usual places of these files} */
    public List<String> flags() {
        return List.of(
                "-Dkubernetes.auth.serviceAccount.token=" + token,
                "-Dkubernetes.certs.ca.file=" + authority,
                "-Duser.home=" + home);
    }

    /** Gives a process the environment of a container; a kubeconfig of whoever starts it is none of its business. */
    public void putInto(Map<String, String> environment) {
        environment.remove("KUBECONFIG");
        environment.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
        environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(port));
    }
}
