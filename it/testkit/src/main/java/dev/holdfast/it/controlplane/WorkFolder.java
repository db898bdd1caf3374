package dev.holdfast.it.controlplane;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The folder with the files of one control plane. */
final class WorkFolder {

    private static final String PREFIX = "holdfast-controlplane-";
    private static final String END = "-----END CERTIFICATE-----";

    private final Path root;
    private final Optional<FolderClaim> claim;
    private boolean closed;

    private WorkFolder(Path root, Optional<FolderClaim> claim) {
        this.root = root;
        this.claim = claim;
    }

    /**
     * Creates and returns a temporary folder that is deleted on close. First deletes the folders that killed processes
     * left behind.
     */
    static WorkFolder temporary() throws IOException {
        return temporary(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static WorkFolder temporary(Path parent) throws IOException {
        FolderClaim.sweep(parent, PREFIX);
        Path root = Files.createTempDirectory(parent, PREFIX);
        return new WorkFolder(root, Optional.of(FolderClaim.on(root)));
    }

    /** {@return the given folder, whose files stay after close} */
    static WorkFolder kept(Path root) {
        return new WorkFolder(root.toAbsolutePath(), Optional.empty());
    }

    Path root() {
        return root;
    }

    Path log(Program program) {
        return logs().resolve(program.label() + ".log");
    }

    Path logs() {
        return root.resolve("logs");
    }

    Path auditLog() {
        return root.resolve("audit.log");
    }

    Path auditPolicy() {
        return root.resolve("audit-policy.yaml");
    }

    /** {@return the file of the kwok Stage that keeps pods Pending on nodes without images} */
    Path podsWithoutImage() {
        return root.resolve("pod-without-image.yaml");
    }

    Path etcdData() {
        return root.resolve("etcd");
    }

    Path tokens() {
        return root.resolve("tokens.csv");
    }

    /** {@return the file of the private key that signs ServiceAccount tokens} */
    Path signingKey() {
        return root.resolve("service-account.key");
    }

    /** {@return the file of the public key that belongs to {@link #signingKey()}} */
    Path verifyingKey() {
        return root.resolve("service-account.pub");
    }

    Path schedulerConfig() {
        return root.resolve("kube-scheduler.yaml");
    }

    Path certificates() {
        return root.resolve("certificates");
    }

    /** {@return the file of kube-apiserver's CA certificate} */
    Path authority() {
        return certificates().resolve("ca.crt");
    }

    /**
     * Writes the CA certificate to {@link #authority()} once kube-apiserver has generated it, and returns whether it
     * has. kube-apiserver writes one file with its own certificate, followed by the CA certificate.
     */
    boolean hasAuthority() {
        Path both = certificates().resolve("apiserver.crt");
        if (!Files.exists(both)) {
            return false;
        }
        try {
            String[] parts = Files.readString(both).split(END, -1);
            if (parts.length < 3) {
                return false;
            }
            Files.writeString(authority(), parts[1].stripLeading() + END + "\n");
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + both, e);
        }
    }

    Path kubeconfig(String user) {
        return root.resolve(user.replace(':', '-') + ".kubeconfig");
    }

    /**
     * Writes the files that the servers read when they start, such as keys and tokens. No server needs to run.
     *
     * @throws ControlPlaneException if this folder was closed: writing would create it again, and nothing would delete
     * it
     */
    synchronized void prepare(List<TokenUser> tokenUsers) throws IOException {
        if (closed) {
            throw new ControlPlaneException(root + " was closed before it was used");
        }
        Files.createDirectories(logs());
        Files.createDirectories(certificates());
        Files.createFile(auditLog());
        Files.writeString(
                tokens(), tokenUsers.stream().map(TokenUser::line).collect(Collectors.joining("\n", "", "\n")));
        KeyPair keys = newKeys();
        Files.writeString(signingKey(), pem("PRIVATE KEY", keys.getPrivate()));
        Files.writeString(verifyingKey(), pem("PUBLIC KEY", keys.getPublic()));
        Files.writeString(schedulerConfig(), schedulerDefaults());
        copy("audit-policy.yaml", auditPolicy());
        copy("pod-without-image.yaml", podsWithoutImage());
    }

    private static void copy(String resource, Path file) throws IOException {
        try (InputStream in = WorkFolder.class.getResourceAsStream(resource)) {
            Files.write(file, Objects.requireNonNull(in).readAllBytes());
        }
    }

    /** {@return the scheduler's configuration: the defaults, except for the request limits of its client} */
    private String schedulerDefaults() {
        return """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: false}
            clientConnection: {kubeconfig: "%s", qps: 1000, burst: 2000}
            """.formatted(kubeconfig(Program.KUBE_SCHEDULER.label()));
    }

    synchronized void close() throws IOException {
        closed = true;
        if (claim.isPresent()) {
            claim.get().deleteFolder();
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has elliptic curves", e);
        }
    }

    private static String pem(String kind, Key key) {
        Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));
        String content = lines.encodeToString(key.getEncoded());
        return "-----BEGIN " + kind + "-----\n" + content + "\n-----END " + kind + "-----\n";
    }
}
