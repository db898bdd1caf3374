package dev.holdfast.operator.cli;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.offline.print.Terminal;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The process in which a command runs.
 *
 * @param environment the environment variables
 * @param home the user's home folder
 * @param standardInput what is piped into the command
 * @param terminal where its output goes
 * @param halt ends the process at once with an exit code, without shutdown hooks
 */
public record ProcessEnvironment(
        SteadyClock clock,
        Map<String, String> environment,
        Path home,
        InputStream standardInput,
        Terminal terminal,
        IntConsumer halt) {
    public ProcessEnvironment {
        environment = Map.copyOf(environment);
    }

    /**
     * {@return whether the process runs in a pod, whose service account it can use} Kubernetes sets {@code
     * KUBERNETES_SERVICE_HOST} in a pod.
     */
    boolean hasServiceAccount() {
        return environment.containsKey("KUBERNETES_SERVICE_HOST");
    }
}
