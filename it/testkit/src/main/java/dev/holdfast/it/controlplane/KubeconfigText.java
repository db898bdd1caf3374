package dev.holdfast.it.controlplane;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Base64;

/**
 * The text of kubeconfig files for one API server.
 *
 * @param authority the CA certificate of the server, as PEM
 */
record KubeconfigText(int port, String authority) {

    static KubeconfigText of(int port, WorkFolder folder) throws IOException {
        return new KubeconfigText(port, Files.readString(folder.authority()));
    }

    String withToken(String user, String token) {
        String encoded = Base64.getEncoder().encodeToString(authority.getBytes(US_ASCII));
        return """
            apiVersion: v1
            kind: Config
            current-context: holdfast
            clusters:
            - name: holdfast
              cluster:
                server: https://127.0.0.1:%s
                certificate-authority-data: %s
            contexts:
            - name: holdfast
              context: {cluster: holdfast, user: "%s"}
            users:
            - name: "%s"
              user: {token: "%s"}
            """.formatted(port, encoded, user, user, token);
    }
}
