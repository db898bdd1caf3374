package dev.holdfast.it.controlplane;

import static dev.holdfast.it.controlplane.Program.ETCD;
import static dev.holdfast.it.controlplane.Program.KUBE_APISERVER;
import static dev.holdfast.it.controlplane.Program.KUBE_CONTROLLER_MANAGER;
import static dev.holdfast.it.controlplane.Program.KUBE_SCHEDULER;
import static dev.holdfast.it.controlplane.Program.KWOK;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A running Kubernetes control plane: etcd, kube-apiserver with RBAC and an audit log, kube-controller-manager,
 * kube-scheduler, and kwok, which simulates the nodes and their pods. All servers listen on free loopback ports and end
 * with this JVM at the latest.
 *
 * <p>Create a Node object to add a node (see {@link NodeObjects}). kwok makes it Ready, renews its lease and runs its
 * pods immediately. When a pod is deleted, kwok removes it immediately and ignores its grace period. A Job's pod runs
 * until it is deleted. On a node whose name ends in {@code -without-images}, pods stay Pending until a test makes them
 * Ready.
 *
 * <p>A namespace accepts pods some milliseconds after its creation, once the controller manager has created its
 * ServiceAccount. A Deployment retries until then; the API server refuses a bare pod.
 */
public final class ControlPlane implements AutoCloseable {

    /** The user name of the admin, who has all rights; {@link #config} authenticates as this user. */
    public static final String ADMIN = TokenUser.ADMIN;

    /** The user that kwok uses to remove deleted or evicted pods. */
    public static final String NODE_USER = KWOK.label();

    private static final int IMPATIENCE_MILLIS = 5_000;

    /** The control planes of this JVM that are starting or running. */
    private static final Set<ControlPlane> OPEN = ConcurrentHashMap.newKeySet();

    private final Programs programs;
    private final WorkFolder folder;
    private final Ports ports;
    private final Servers servers;
    private final Thread closer = new Thread(this::closeAtTheEnd, "control-plane-closer");

    private ControlPlane(Programs programs, WorkFolder folder, Ports ports) {
        this.programs = programs;
        this.folder = folder;
        this.ports = ports;
        this.servers = new Servers(new CommandLines(programs, folder, ports), folder);
    }

    /** {@return whether the programs are in the user's cache, so that a start builds nothing} */
    public static boolean isBuilt() {
        return ProgramCache.ofUser(Programs.MODULE).isBuilt();
    }

    /**
     * Starts a control plane in a temporary folder, which is deleted on close, and returns once it is ready. Builds the
     * programs first if they are not in the user's cache.
     *
     * @throws ControlPlaneException if a tool is missing or a server does not start; the message ends with the logs
     */
    public static ControlPlane start() {
        // Before the folder is created: a failed build must leave no empty folder.
        Programs programs = Programs.ofUser();
        try {
            return start(programs, WorkFolder.temporary(), Ports.free());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary folder", e);
        }
    }

    /**
     * Starts a control plane whose logs, audit log and data stay in the given folder, and returns once it is ready.
     *
     * @param folder must be empty or not exist
     * @throws ControlPlaneException as {@link #start()}
     */
    public static ControlPlane start(Path folder) {
        return start(Programs.ofUser(), WorkFolder.kept(folder), Ports.free());
    }

    static ControlPlane start(Programs programs, WorkFolder folder, Ports ports) {
        ControlPlane controlPlane = new ControlPlane(programs, folder, ports);
        OPEN.add(controlPlane);
        try {
            // Throws if the JVM is already shutting down.
            Runtime.getRuntime().addShutdownHook(controlPlane.closer);
            controlPlane.launch();
            return controlPlane;
        } catch (IOException e) {
            controlPlane.close();
            throw new UncheckedIOException("cannot write the files of the control plane to " + folder.root(), e);
        } catch (RuntimeException e) {
            controlPlane.close();
            throw e;
        }
    }

    private void launch() throws IOException {
        TokenUser admin = TokenUser.admin();
        Map<Program, TokenUser> tokenUsers = new EnumMap<>(Program.class);
        for (Program program : List.of(KUBE_CONTROLLER_MANAGER, KUBE_SCHEDULER, KWOK)) {
            tokenUsers.put(program, TokenUser.of(program));
        }
        List<TokenUser> all = new ArrayList<>(tokenUsers.values());
        all.add(admin);
        folder.prepare(all);
        servers.start(ETCD, KUBE_APISERVER);
        servers.await("the certificate of kube-apiserver", folder::hasAuthority);
        kubeconfig(admin.name(), admin.token());
        for (Map.Entry<Program, TokenUser> tokenUser : tokenUsers.entrySet()) {
            kubeconfig(tokenUser.getKey().label(), tokenUser.getValue().token());
        }
        try (KubernetesClient client = impatientClient()) {
            servers.await("kube-apiserver to be ready", () -> isReady(client));
            servers.start(KUBE_CONTROLLER_MANAGER, KUBE_SCHEDULER, KWOK);
            servers.await("the service account of the namespace default", () -> hasServiceAccount(client));
        }
    }

    /**
     * {@return a client for requests that the caller repeats until they succeed} It waits a short time for an answer:
     * another process may have the port, and accept a connection that it never reads.
     */
    private KubernetesClient impatientClient() {
        Config config = new ConfigBuilder(config())
                .withConnectionTimeout(IMPATIENCE_MILLIS)
                .withRequestTimeout(IMPATIENCE_MILLIS)
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static boolean isReady(KubernetesClient client) {
        try {
            return "ok".equals(client.raw("/readyz"));
        } catch (KubernetesClientException _) {
            return false;
        }
    }

    private static boolean hasServiceAccount(KubernetesClient client) {
        try {
            return client.serviceAccounts()
                            .inNamespace("default")
                            .withName("default")
                            .get()
                    != null;
        } catch (KubernetesClientException _) {
            // A new API server on a busy machine may take longer than the client waits.
            return false;
        }
    }

    /** {@return the kubeconfig file of the admin, who has all rights} */
    public Path kubeconfig() {
        return folder.kubeconfig(TokenUser.ADMIN);
    }

    /**
     * Writes a kubeconfig file for another user, for example a ServiceAccount with a token from a TokenRequest.
     *
     * @param user the user name, which is also the file name; a second call with the same name replaces the file
     */
    public Path kubeconfig(String user, String token) {
        try {
            KubeconfigText kubeconfigText = KubeconfigText.of(ports.apiServer(), folder);
            return Files.writeString(folder.kubeconfig(user), kubeconfigText.withToken(user, token));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the kubeconfig of " + user, e);
        }
    }

    /**
     * Writes the files that Kubernetes mounts into a pod.
     *
     * @param user the user name, which is also the folder name; a second call with the same name replaces the files
     */
    public PodAccount podAccount(String user, String token) {
        try {
            Path home = Files.createDirectories(folder.root().resolve("pods").resolve(user));
            Path file = Files.writeString(home.resolve("token"), token);
            return new PodAccount(ports.apiServer(), file, folder.authority(), home);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the token of " + user, e);
        }
    }

    /** {@return the client configuration for the admin, as in {@link #kubeconfig()}} */
    public Config config() {
        return config(kubeconfig());
    }

    /**
     * {@return the client configuration of a kubeconfig file} Its time limit is long: after a shorter one, a client
     * would repeat a create and fail because the object exists.
     */
    public static Config config(Path kubeconfig) {
        int millis = Math.toIntExact(TimeLimits.ANSWER.toMillis());
        return new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile()))
                .withConnectionTimeout(millis)
                .withRequestTimeout(millis)
                .build();
    }

    /** {@return a reader of the audit log, from its beginning} */
    public AuditTrail auditTrail() {
        return new AuditTrail(folder.auditLog());
    }

    /** {@return the audit log file: one line of JSON for each request that the audit policy selects} */
    public Path auditLog() {
        return folder.auditLog();
    }

    /** {@return the folder of this control plane; its subfolder {@code logs/} has one file for each server} */
    public Path folder() {
        return folder.root();
    }

    /** {@return the last lines of each server's log, for an error message} */
    public String logTails() {
        return servers.logTails();
    }

    /** {@return the path of a program's binary} */
    public Path binary(Program program) {
        return programs.binary(program);
    }

    /** {@return the address of etcd, for callers that write to it without kube-apiserver} */
    public URI etcd() {
        return URI.create("http://127.0.0.1:" + ports.etcdClient());
    }

    /** {@return the process id of a running server} */
    public long pid(Program server) {
        return servers.pid(server);
    }

    /** Kills one server and keeps its data. */
    public void stop(Program server) {
        servers.stop(server);
    }

    /** Restarts a stopped server on the same port; kube-apiserver is ready when this method returns. */
    public void restart(Program server) {
        servers.start(server);
        if (server == KUBE_APISERVER) {
            try (KubernetesClient client = impatientClient()) {
                servers.await("kube-apiserver to be ready", () -> isReady(client));
            }
        }
    }

    /** Kills all servers and deletes the folder if it is temporary. A second call does nothing. */
    @Override
    public synchronized void close() {
        servers.stopAll();
        try {
            folder.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder.root(), e);
        }
        OPEN.remove(this);
        forgetCloser();
    }

    /**
     * Closes every control plane of this JVM, even one that is still starting. A shutdown hook does the same. This
     * method is for callers that print something once all are closed.
     *
     * @return one line for each server that could not be ended and each folder that could not be deleted
     */
    public static List<String> closeAll() {
        List<String> left = new ArrayList<>();
        for (ControlPlane controlPlane : OPEN) {
            try {
                controlPlane.close();
            } catch (UncheckedIOException | ControlPlaneException e) {
                left.add(e.getMessage());
            }
        }
        return left;
    }

    private void closeAtTheEnd() {
        try {
            close();
        } catch (UncheckedIOException | ControlPlaneException e) {
            // The next start of a control plane deletes the folder.
            System.err.println(e.getMessage());
        }
    }

    private void forgetCloser() {
        try {
            Runtime.getRuntime().removeShutdownHook(closer);
        } catch (IllegalStateException _) {
            // The JVM is shutting down: the hook is running, or it will find nothing to do.
        }
    }
}
