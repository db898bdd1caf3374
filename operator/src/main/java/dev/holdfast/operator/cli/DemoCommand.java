package dev.holdfast.operator.cli;

import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.log.Logging;
import dev.holdfast.operator.offline.demo.Narrator;
import dev.holdfast.operator.offline.demo.SimulatedDemo;
import dev.holdfast.operator.offline.demo.TerminalCapabilities;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code holdfast demo}: plays the demo on the simulator. The real demo needs the source tree. */
@Command(
        name = "demo",
        description =
                "Breaks a rule of each kind on a simulated cluster, and shows how the operator reacts. It plays the"
                        + " operator's own planner in virtual time, as test does, and needs no cluster. The source tree"
                        + " has the same scenes on a local control plane: ./holdfast demo.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast demo --simulated",
            "",
            "Exit codes:",
            "  0  every scene ended as expected",
            "  1  a scene ended otherwise",
            "  2  invalid command line, or no --simulated"
        })
final class DemoCommand implements Callable<Integer> {
    private final ProcessEnvironment processEnvironment;

    @Option(names = "--simulated", description = "Plays the scenes on the simulator, which takes some seconds.")
    private boolean simulated;

    @Option(names = "--verbose", description = "Prints the full text of every event of the operator after its scene.")
    private boolean verbose;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    DemoCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
    }

    @Override
    public Integer call() {
        if (!simulated) {
            throw new ParameterException(
                    spec.commandLine(),
                    "the real demo needs the source tree, where it is ./holdfast demo; without it: holdfast demo"
                            + " --simulated");
        }
        Logging.configure(LogLevel.WARN, LogFormat.TEXT);
        try {
            boolean asExpected = SimulatedDemo.play()
                    .print(
                            spec.commandLine().getOut(),
                            TerminalCapabilities.of(
                                    processEnvironment.terminal().showsOutput(), processEnvironment.environment()),
                            verbose ? Narrator.Detail.ALL_EVENTS : Narrator.Detail.SUMMARY);
            return asExpected ? ExitCode.OK : ExitCode.FINDINGS;
        } finally {
            Logging.close();
        }
    }
}
