package dev.holdfast.operator.cli.options;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kubeconfig, found as by kubectl. A mistake in the file is an error: no default replaces the wrong value. Fields
 * that Holdfast does not support, such as {@code proxy-url}, are errors too.
 *
 * @param file the option {@code --kubeconfig}; if absent, the file is {@code $KUBECONFIG} or {@code ~/.kube/config}
 * @param context the option {@code --context}; if absent, the file's current-context is used
 */
public record Kubeconfig(Optional<Path> file, Optional<String> context) {
    private static final String VARIABLE = "KUBECONFIG";
    private static final String PROXY = "HTTPS_PROXY";
    private static final int LAST_PORT = 65_535;
    private static final char DELETE = 0x7f;

    /** A kubeconfig that cannot be used. The message is one line. */
    public static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    /** The process that looks for a kubeconfig. */
    public interface Surroundings {
        /** {@return the environment variables} */
        Map<String, String> environment();

        /** {@return the user's home folder} */
        Path home();
    }

    /**
     * {@return whether the process runs in a pod, whose service account it can use} Kubernetes sets {@code
     * KUBERNETES_SERVICE_HOST} in a pod.
     */
    private static boolean inPod(Surroundings process) {
        return process.environment().containsKey("KUBERNETES_SERVICE_HOST");
    }

    /** The source of the credentials. */
    public sealed interface Source {
        /** A kubeconfig file, which may be for any cluster. */
        record File(Path path) implements Source {}

        /** The service account of the pod in which the process runs. */
        record ServiceAccount() implements Source {}
    }

    /** {@return the source of the credentials} Without a kubeconfig, a pod uses its service account. */
    public Source source(Surroundings process) throws UnusableException {
        Optional<Path> found = file.or(() -> fromEnvironment(process));
        if (found.isPresent()) {
            return new Source.File(found.get());
        }
        if (context.isPresent() || !inPod(process)) {
            throw new UnusableException("no kubeconfig: give --kubeconfig FILE, or set " + VARIABLE);
        }
        return new Source.ServiceAccount();
    }

    /** {@return the client configuration for the API server} */
    public Config connection(Surroundings process) throws UnusableException {
        return switch (source(process)) {
            case Source.File(Path path) -> read(path, process);
            case Source.ServiceAccount() -> serviceAccount();
        };
    }

    private static Config serviceAccount() {
        // The client would take a kubeconfig that it finds by its own rules, also when it renews the token.
        System.setProperty(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, "false");
        return Config.autoConfigure(null);
    }

    private static Optional<Path> fromEnvironment(Surroundings process) {
        Optional<Path> named = Optional.ofNullable(process.environment().get(VARIABLE))
                .filter(it -> !it.isBlank())
                .map(Path::of);
        Path usual = process.home().resolve(".kube").resolve("config");
        return named.or(() -> Optional.of(usual).filter(Files::exists));
    }

    private Config read(Path path, Surroundings process) throws UnusableException {
        if (path.toString().contains(java.io.File.pathSeparator)) {
            throw new UnusableException("kubeconfig " + path + " is a list of files: give only one of them");
        }
        io.fabric8.kubernetes.api.model.Config content = parse(path);
        String name = context.orElseGet(() -> Objects.requireNonNullElse(content.getCurrentContext(), ""));
        AuthInfo credentials = checkContext(path, content, name);
        Config connection = Config.fromKubeconfig(name, path.toFile());
        checkFiles(path, connection);
        checkCertificates(path, connection);
        checkToken(path, connection);
        checkPlugin(path, credentials, connection);
        return proxied(connection, process.environment());
    }

    private static void checkFiles(Path path, Config connection) throws UnusableException {
        for (String named : Arrays.asList(
                connection.getCaCertFile(), connection.getClientCertFile(), connection.getClientKeyFile())) {
            if (named != null && !Files.isReadable(Path.of(named))) {
                throw new UnusableException(
                        "kubeconfig " + path + " names the file " + named + ", which cannot be read");
            }
        }
    }

    private static void checkCertificates(Path path, Config connection) throws UnusableException {
        try {
            SSLUtils.sslContext(connection);
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            // The message must not quote the value, which may be a private key.
            throw new UnusableException(
                    "kubeconfig " + path + ": cannot read a certificate or key in it or in a file that it names");
        }
    }

    private static void checkToken(Path path, Config connection) throws UnusableException {
        String token = Objects.requireNonNullElse(connection.getAutoOAuthToken(), "");
        if (!token.chars().allMatch(sign -> sign > ' ' && sign < DELETE)) {
            throw new UnusableException(
                    "kubeconfig " + path + ": the token contains a line break, a space or another invalid character");
        }
    }

    /** Refuses an exec plugin that returned no credentials: requests would be anonymous. */
    private static void checkPlugin(Path path, AuthInfo credentials, Config connection) throws UnusableException {
        boolean given = connection.getAutoOAuthToken() != null || connection.getClientCertData() != null;
        if (credentials.getExec() != null && !given) {
            throw new UnusableException("kubeconfig " + path + ": the command "
                    + credentials.getExec().getCommand() + " returned no credentials: run it to see why");
        }
    }

    /**
     * {@return the connection, which uses the proxy in HTTPS_PROXY except for the hosts in NO_PROXY, as kubectl does}
     * Not needed in a cluster, where the client reads these variables itself.
     */
    private static Config proxied(Config connection, Map<String, String> environment) throws UnusableException {
        Optional<String> proxy = variable(environment, PROXY);
        if (proxy.isEmpty()) {
            return connection;
        }
        // The client would match an empty entry with every host, and does not understand patterns.
        String[] direct = variable(environment, "NO_PROXY").stream()
                .flatMap(Pattern.compile(",")::splitAsStream)
                .map(entry -> entry.strip().replaceFirst("^\\*", ""))
                .filter(entry -> !entry.isEmpty())
                .toArray(String[]::new);
        return new ConfigBuilder(connection)
                .withHttpsProxy(address(proxy.get()))
                .withNoProxy(direct)
                .build();
    }

    /** {@return the proxy's URL with scheme and port, for example {@code http://proxy:80} for {@code proxy}} */
    private static String address(String proxy) throws UnusableException {
        try {
            URI address = new URI(proxy.contains("://") ? proxy : "http://" + proxy);
            if (address.getHost() != null) {
                int usual = "https".equals(address.getScheme()) ? 443 : 80;
                int port = address.getPort() < 0 ? usual : address.getPort();
                return new URI(address.getScheme(), address.getUserInfo(), address.getHost(), port, null, null, null)
                        .toString();
            }
        } catch (URISyntaxException _) {
            // The message must not quote the value, which may contain a password.
        }
        throw new UnusableException(PROXY + " is not a proxy address; example: http://proxy.example:3128");
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Stream.of(name, name.toLowerCase(Locale.ROOT))
                .flatMap(it -> Optional.ofNullable(environment.get(it)).stream())
                .filter(it -> !it.isBlank())
                .findFirst();
    }

    private static io.fabric8.kubernetes.api.model.Config parse(Path path) throws UnusableException {
        try {
            String text = Files.readString(path);
            if (text.isBlank()) {
                throw new UnusableException("kubeconfig " + path + " is empty");
            }
            return new YAMLMapper().readValue(text, io.fabric8.kubernetes.api.model.Config.class);
        } catch (NoSuchFileException _) {
            throw new UnusableException("kubeconfig " + path + " does not exist");
        } catch (JacksonException e) {
            // The message must not quote the file, which may be a token that was given by mistake.
            throw new UnusableException("kubeconfig " + path + " is not a kubeconfig" + place(e));
        } catch (IOException e) {
            throw new UnusableException("kubeconfig " + path + " cannot be read: " + e);
        }
    }

    private static String place(JacksonException e) {
        JsonLocation location = e.getLocation();
        return location == null || location.getLineNr() < 1
                ? ""
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    /** Checks the context, its cluster and its user, and returns the user's credentials. */
    private static AuthInfo checkContext(Path path, io.fabric8.kubernetes.api.model.Config content, String name)
            throws UnusableException {
        List<NamedContext> contexts = Objects.requireNonNullElse(content.getContexts(), List.of());
        if (name.isEmpty()) {
            throw new UnusableException("kubeconfig " + path + " has no current-context: give --context, one of "
                    + contexts.stream().map(NamedContext::getName).toList());
        }
        Optional<NamedContext> found =
                contexts.stream().filter(it -> it.getName().equals(name)).findFirst();
        if (found.isEmpty()) {
            throw new UnusableException("kubeconfig " + path + " has no context '" + name + "': it has "
                    + contexts.stream().map(NamedContext::getName).toList());
        }
        String cluster = Optional.ofNullable(found.get().getContext())
                .map(Context::getCluster)
                .orElse("");
        Cluster server = Objects.requireNonNullElse(content.getClusters(), List.<NamedCluster>of()).stream()
                .filter(it -> it.getName().equals(cluster))
                .flatMap(it -> Optional.ofNullable(it.getCluster()).stream())
                .filter(it -> it.getServer() != null)
                .findFirst()
                .orElseThrow(() -> new UnusableException("kubeconfig " + path + ": context '" + name
                        + "' has no cluster with a server ('" + cluster + "')"));
        String user = Optional.ofNullable(found.get().getContext())
                .map(Context::getUser)
                .orElse("");
        List<NamedAuthInfo> users = Objects.requireNonNullElse(content.getUsers(), List.of());
        AuthInfo credentials = users.stream()
                .filter(it -> it.getName().equals(user))
                .flatMap(it -> Optional.ofNullable(it.getUser()).stream())
                .findFirst()
                .orElseThrow(
                        () -> new UnusableException("kubeconfig " + path + ": context '" + name + "' names the user"
                                + " '" + user + "', but the users are "
                                + users.stream().map(NamedAuthInfo::getName).toList()));
        checkServer(path, server.getServer());
        refuse(path, "tls-server-name", server.getTlsServerName(), "use a server name that the certificate has");
        refuse(path, "proxy-url", server.getProxyUrl(), "use the environment variable " + PROXY);
        refuse(path, "tokenFile", credentials.getTokenFile(), "use token or exec");
        refuse(path, "username", credentials.getUsername(), "use token, exec or a client certificate");
        return credentials;
    }

    /** Refuses an invalid server URL. Without a scheme the client would use HTTP and send the token in plain text. */
    private static void checkServer(Path path, String server) throws UnusableException {
        try {
            URI address = new URI(server);
            boolean http = "https".equals(address.getScheme()) || "http".equals(address.getScheme());
            if (http && address.getHost() != null && address.getPort() <= LAST_PORT) {
                return;
            }
        } catch (URISyntaxException _) {
            // Refused below.
        }
        throw new UnusableException("kubeconfig " + path + ": the server \"" + server
                + "\" is not an address; example: https://k8s.example:6443");
    }

    /** Refuses a field that is set but not supported: the client would ignore it, and use another server or user. */
    private static void refuse(Path path, String key, @Nullable String value, String instead) throws UnusableException {
        if (value != null && !value.isEmpty()) {
            throw new UnusableException(
                    "kubeconfig " + path + " has " + key + ", which Holdfast does not support: " + instead);
        }
    }
}
