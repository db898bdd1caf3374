package dev.holdfast.operator.cli;

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
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which cluster is spoken to, and as whom: as kubectl finds it, but every mistake is named instead of falling back to
 * a default.
 *
 * @param file given by the user; absent where the environment decides
 * @param context given by the user; absent where the file decides
 */
record Kubeconfig(Optional<Path> file, Optional<String> context) {
    private static final String VARIABLE = "KUBECONFIG";

    /** A kubeconfig that cannot be used. The message is one line. */
    static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    /** {@return how to reach the API server} */
    Config connection(Surroundings surroundings) throws UnusableException {
        Optional<Path> found = file.or(() -> fromEnvironment(surroundings));
        if (found.isPresent()) {
            return read(found.get());
        }
        if (surroundings.inCluster()) {
            return Config.autoConfigure(null);
        }
        throw new UnusableException("no kubeconfig: give --kubeconfig FILE, or set " + VARIABLE);
    }

    private static Optional<Path> fromEnvironment(Surroundings surroundings) {
        Optional<Path> named = Optional.ofNullable(surroundings.environment().get(VARIABLE))
                .filter(it -> !it.isBlank())
                .map(Path::of);
        Path usual = surroundings.home().resolve(".kube").resolve("config");
        return named.or(() -> Optional.of(usual).filter(Files::exists));
    }

    private Config read(Path path) throws UnusableException {
        if (path.toString().contains(File.pathSeparator)) {
            throw new UnusableException("kubeconfig " + path + " is a list of files: give one of them");
        }
        io.fabric8.kubernetes.api.model.Config content = parse(path);
        String name = context.orElseGet(() -> Objects.requireNonNullElse(content.getCurrentContext(), ""));
        checkContext(path, content, name);
        return Config.fromKubeconfig(name, path.toFile());
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
            // Only where: what is there may be a token whose file was given by mistake.
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

    private static void checkContext(Path path, io.fabric8.kubernetes.api.model.Config content, String name)
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
                        () -> new UnusableException("kubeconfig " + path + ": context '" + name + "' names the user '"
                                + user + "', and the users are "
                                + users.stream().map(NamedAuthInfo::getName).toList()));
        refuse(path, "tls-server-name", server.getTlsServerName(), "use a server name that the certificate has");
        refuse(path, "proxy-url", server.getProxyUrl(), "use the environment variable HTTPS_PROXY in a pod");
        refuse(path, "tokenFile", credentials.getTokenFile(), "use token or exec");
        refuse(path, "username", credentials.getUsername(), "use token, exec or a client certificate");
    }

    /** Refuses what would be ignored: whoever wrote it would speak to somebody else, or as somebody else. */
    private static void refuse(Path path, String key, @Nullable String value, String instead) throws UnusableException {
        if (value != null && !value.isEmpty()) {
            throw new UnusableException(
                    "kubeconfig " + path + " has " + key + ", which Holdfast does not support: " + instead);
        }
    }
}
