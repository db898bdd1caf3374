package dev.holdfast.it.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The start of the command line of an operator process: Java, its flags and the class path.
 *
 * @param java the path of the {@code java} program
 * @param flags the JVM flags, in order; may be empty
 * @param classPath the class path, as for {@code java -cp}
 */
public record OperatorLaunch(Path java, List<String> flags, String classPath) {
    public OperatorLaunch {
        flags = List.copyOf(flags);
    }

    /**
     * {@return a launch with the {@code java} program and the class path of this JVM} The flags allow only the quick
     * compiler (C1), because an operator in a test lives for about a minute. So the operator needs 5 s of CPU to be
     * ready instead of 8.
     */
    public static OperatorLaunch likeThisJvm() {
        return new OperatorLaunch(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"),
                System.getProperty("java.class.path"));
    }

    /** {@return a copy that starts the operator of another build} */
    public OperatorLaunch withClassPath(String other) {
        return new OperatorLaunch(java, flags, other);
    }

    /**
     * {@return a copy whose JVM compiles nothing} Each step then takes many times as long, as in a process that has
     * just started, so threads that share something without a lock meet far more often.
     */
    public OperatorLaunch interpreted() {
        return with(List.of("-Xint"));
    }

    /** {@return a copy with these JVM flags added} */
    OperatorLaunch with(List<String> more) {
        return new OperatorLaunch(
                java, Stream.concat(flags.stream(), more.stream()).toList(), classPath);
    }

    /**
     * {@return the command up to the subcommand {@code run}; a mutable list, to which callers add the operator's
     * options}
     */
    List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, "dev.holdfast.operator.Main", "run", "--enforce"));
        return command;
    }
}
