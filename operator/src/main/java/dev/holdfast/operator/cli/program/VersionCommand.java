package dev.holdfast.operator.cli.program;

import dev.holdfast.operator.app.BuildVersion;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.operator.offline.print.Documents;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code holdfast version}: prints the version of the program. */
@Command(
        name = "version",
        description = "Prints the version of Holdfast and of Java.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public final class VersionCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "text, json or yaml; the last two have the commit of the source too. Default: text.")
    private Form form = Form.TEXT;

    private enum Form {
        TEXT,
        JSON,
        YAML
    }

    /** Published as {@code docs/schemas/version.json}. */
    private record Version(String apiVersion, String kind, String version, String commit, String date, String java) {}

    @Override
    public void run() {
        Version version = new Version(
                CheckReport.API_VERSION,
                "Version",
                BuildVersion.get(),
                BuildVersion.commit(),
                BuildVersion.date(),
                Runtime.version().toString());
        List<String> lines = switch (form) {
            case TEXT -> List.of(new ProgramVersion().getVersion());
            case JSON -> Documents.json(version);
            case YAML -> Documents.yaml(version);
        };
        lines.forEach(spec.commandLine().getOut()::println);
        spec.commandLine().getOut().flush();
    }
}
