package dev.holdfast.operator.cli;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.cli.options.Kubeconfig;
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
        IntConsumer halt)
        implements Kubeconfig.Surroundings {
    public ProcessEnvironment {
        environment = Map.copyOf(environment);
    }
}
