import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.app.AotCache;
import dev.holdfast.operator.cli.HoldfastCommand;
import dev.holdfast.operator.cli.ProcessEnvironment;
import dev.holdfast.operator.offline.print.Terminal;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * The training run of the archive's AOT cache: runs each command that reads a cluster once, in one JVM.
 *
 * <p>The JVM uses the cache only with the class path of the training, so this class is part of the archive.
 */
final class CommandTraining {
    /** The greatest exit code of a command that did its work; 1 says that it has found something. */
    private static final int FINDINGS = 1;

    private CommandTraining() {}

    /** Arguments: the folder of the samples, and a kubeconfig. */
    static void main(String... args) {
        String samples = args[0] + "/shop.yaml";
        String policy = args[0] + "/keep.yaml";
        String kubeconfig = args[1];
        AotCache.problem(System.getProperty("holdfast.aotCache"), List::of);
        for (List<String> command : List.of(
                List.of("check", "-f", samples),
                List.of("check", "-f", samples, "--policy", policy, "-o", "json"),
                List.of("check", "-f", samples, "-n", "shop", "-l", "app=web", "-o", "wide"),
                List.of("check", "--kubeconfig", kubeconfig),
                List.of("explain", "pod/web-1", "-n", "shop", "-f", samples, "--policy", policy),
                List.of("what-if", "-f", samples, "--policy", policy, "--label", "node/node-2", "disk-"),
                List.of("what-if", "-f", samples, "--policy", policy, "--drain", "node-2", "-o", "json"),
                List.of("test", args[0] + "/tests"),
                List.of("demo", "--simulated"),
                List.of("check", "--help"),
                List.of("version"))) {
            ProcessEnvironment process = new ProcessEnvironment(
                    new SteadyClock(InstantSource.system(), System::nanoTime),
                    Map.of(),
                    Path.of("/"),
                    InputStream.nullInputStream(),
                    new Terminal(Path.of("/proc/self/fd"), Map.of()),
                    _ -> {});
            int code = HoldfastCommand.run(process, command.toArray(String[]::new));
            if (code > FINDINGS) {
                throw new IllegalStateException("holdfast " + String.join(" ", command) + " ended with " + code);
            }
        }
    }
}
