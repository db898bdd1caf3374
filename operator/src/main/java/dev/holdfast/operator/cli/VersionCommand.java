package dev.holdfast.operator.cli;

import dev.holdfast.operator.app.BuildVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code holdfast version}: prints the version. */
@Command(
        name = "version",
        description = "Prints the version of Holdfast and of Java.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class)
final class VersionCommand implements Callable<Integer>, IVersionProvider {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Override
    public Integer call() {
        for (String line : getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"holdfast " + BuildVersion.get(), "java " + Runtime.version()};
    }
}
