package dev.holdfast.it.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command line that starts the operator's JVM.
 *
 * @param java the program
 * @param flags of the JVM
 * @param classPath as for {@code java -cp}
 */
public record OperatorLaunch(Path java, List<String> flags, String classPath) {
    public OperatorLaunch {
        flags = List.copyOf(flags);
    }

    static OperatorLaunch likeThisJvm() {
        return new OperatorLaunch(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                List.of("-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"),
                System.getProperty("java.class.path"));
    }

    /** {@return a copy with more flags} */
    OperatorLaunch with(List<String> more) {
        return new OperatorLaunch(
                java, Stream.concat(flags.stream(), more.stream()).toList(), classPath);
    }

    /** {@return the command without the options of the operator; the list is mutable} */
    List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, "dev.holdfast.operator.Main", "run"));
        return command;
    }
}
