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
 * A running control plane: etcd, kube-apiserver with RBAC and an audit log, kube-controller-manager, kube-scheduler,
 * and kwok, which plays every node and the pods on it. All listen on free loopback ports, and none outlives this JVM.
 *
 * <p>A node is whatever Node object is created (see {@link NodeObjects}); kwok makes it Ready, keeps its lease, lets its pods
 * run at once and, when somebody has deleted them, removes them at once, whatever their grace period. A Job's pod runs
 * until it is deleted.
 *
 * <p>A namespace takes its first pod once the controller manager has given it a service account, some milliseconds
 * after its creation. A Deployment waits for that by itself; a bare pod is refused.
 */
public final class ControlPlane implements AutoCloseable {

    /** The user that {@link #config} speaks for. */
    public static final String ADMIN = TokenUser.ADMIN;

    /** The user in whose name kwok removes the pods that somebody else has deleted or evicted. */
    public static final String NODE_USER = KWOK.label();

    /** Those of this JVM that are starting or running. */
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

    /**
     * {@return a control plane that is ready, in a temporary folder that goes away with it} Builds the programs first
     * if they are not in the user's cache.
     *
     * @throws ControlPlaneException if a tool is missing or a server does not start; the message ends with the logs
     */
    public static ControlPlane start() {
        // First, so that no empty folder is left where they cannot be built.
        Programs programs = Programs.ofUser();
        try {
            return start(programs, WorkFolder.temporary(), Ports.free());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary folder", e);
        }
    }

    /**
     * {@return a control plane that is ready, with its logs, audit log and data in the folder given, where they stay}
     *
     * @param folder does not exist yet, or is empty
     * @throws ControlPlaneException as {@link #start()}
     */
    public static ControlPlane start(Path folder) {
        return start(Programs.ofUser(), WorkFolder.kept(folder), Ports.free());
    }

    static ControlPlane start(Programs programs, WorkFolder folder, Ports ports) {
        ControlPlane controlPlane = new ControlPlane(programs, folder, ports);
        OPEN.add(controlPlane);
        try {
            // Refused when the JVM is told to stop just now.
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

    /** One that says at once what it was answered, instead of trying again. */
    private KubernetesClient impatientClient() {
        Config config = new ConfigBuilder(config())
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(5_000)
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
        return client.serviceAccounts()
                        .inNamespace("default")
                        .withName("default")
                        .get()
                != null;
    }

    /** {@return the kubeconfig file of a user who may do everything} */
    public Path kubeconfig() {
        return folder.kubeconfig(TokenUser.ADMIN);
    }

    /**
     * Writes a kubeconfig file for somebody else, for example a service account with a token from a TokenRequest.
     *
     * @param user becomes the file's name; the same name again replaces the file
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
     * Writes the files that a pod would find.
     *
     * @param user becomes the folder's name; the same name again replaces the files
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

    /** {@return the client configuration of {@link #kubeconfig()}} */
    public Config config() {
        return Config.fromKubeconfig(kubeconfig().toFile());
    }

    /** {@return a reader of the audit log, from its beginning} */
    public AuditTrail auditTrail() {
        return new AuditTrail(folder.auditLog());
    }

    /** {@return the file to which kube-apiserver writes one line of JSON for each request its policy names} */
    public Path auditLog() {
        return folder.auditLog();
    }

    /** {@return the folder of this control plane, with {@code logs/} in it: one file for each server} */
    public Path folder() {
        return folder.root();
    }

    /** {@return the last lines of each server's log, to be shown when something has failed} */
    public String logTails() {
        return servers.logTails();
    }

    /** {@return the path of a program's binary, for example kubectl's} */
    public Path binary(Program program) {
        return programs.binary(program);
    }

    /** {@return where etcd listens, for who writes past kube-apiserver} */
    public URI etcd() {
        return URI.create("http://127.0.0.1:" + ports.etcdClient());
    }

    /** {@return the process id of a running server} */
    public long pid(Program server) {
        return servers.pid(server);
    }

    /** Kills one server, to see what others make of it. Its data stay. */
    public void stop(Program server) {
        servers.stop(server);
    }

    /** Starts a stopped server again, on the same port; kube-apiserver is ready when this returns. */
    public void restart(Program server) {
        servers.start(server);
        if (server == KUBE_APISERVER) {
            try (KubernetesClient client = impatientClient()) {
                servers.await("kube-apiserver to be ready", () -> isReady(client));
            }
        }
    }

    /** Kills all servers and deletes the folder if it was a temporary one. Does nothing the second time. */
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
     * Closes every control plane of this JVM, those that are only starting too. For who has a last word to say when the
     * JVM is told to stop: each is closed then anyway, but at no moment that others could know.
     *
     * @return what did not go away, a line each; none when all is gone
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
            // The next start deletes the folder.
            System.err.println(e.getMessage());
        }
    }

    private void forgetCloser() {
        try {
            Runtime.getRuntime().removeShutdownHook(closer);
        } catch (IllegalStateException _) {
            // The JVM is shutting down, and this is the hook or will find nothing left to do.
        }
    }
}
